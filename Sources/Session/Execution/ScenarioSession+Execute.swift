import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// Executes single instructions. An instruction that has to wait is executed again whenever
/// something arrives or its deadline passes.
extension ScenarioSession {
    mutating func execute(_ instruction: Instruction) -> StepProgress {
        if keepsHeldBytes(instruction.operation) == false { flushHeld() }
        switch instruction.operation {
        case .connect(let index): return connect(index)
        case .close(let index), .halfClose(let index), .abort(let index):
            return end(index, instruction.operation)
        case .setReading(let index, let isReading): return setReading(index, isReading)
        case .startTLS(let index): return startTLS(index)
        case .send(let index, let message): return send(index, message, instruction.origin)
        case .expect(let index, let mode, let pattern, let window):
            return expect(index, mode, pattern, window, instruction.origin)
        case .closed(let index, let manner, let window):
            return expectClose(index, manner, window)
        case .quiet(let index, let window): return quiet(index, window)
        case .wait(let minimum, let maximum): return wait(minimum, maximum)
        case .sync(let indices): return sync(indices)
        case .anyOrder(let expectations): return anyOrder(expectations)
        case .oneOf(let choices, _): return choose(choices, instruction.origin)
        case .jump(let target): return .jump(target)
        case .standing(let rule):
            install(rule)
            return .done
        case .bind(let bindings): return bind(bindings, instruction.origin)
        case .loginName(let index, let variable):
            operators[index].loginName = context.variables[variable] ?? []
            recorder.loginNames.insert(operators[index].loginName)
            return .done
        case .fresh(let variable):
            context.variables[variable] = random.word()
            return .done
        default: return executeBlock(instruction)
        }
    }

    /// Activates a standing rule. If it is an `ignore` rule, also removes matching lines that were
    /// received but not consumed by any step.
    private mutating func install(_ rule: StandingRule) {
        guard installedRules.insert(counter).inserted else { return }
        standing.append(rule)
        guard rule.reply == nil else { return }
        for (index, op) in operators.enumerated()
        where rule.operatorIndex == nil || rule.operatorIndex == index {
            op.inbox.keep { matcher.mismatch(rule.pattern, $0, &context) != nil }
            op.setAside = op.setAside.filter {
                matcher.mismatch(rule.pattern, $0, &context) != nil
            }
        }
    }

    /// Returns true if the operation does not require held-back bytes to be sent first. The
    /// segmentation may hold back bytes to send them together with later ones.
    func keepsHeldBytes(_ operation: Operation) -> Bool {
        switch operation {
        case .send: options.segmentation == .coalesce || options.segmentation == .finWithData
        case .close, .halfClose, .bind, .fresh, .loginName, .standing, .jump: true
        default: false
        }
    }

    var stepTimeout: Int64 { program.stepTimeout ?? options.stepTimeout }
}
