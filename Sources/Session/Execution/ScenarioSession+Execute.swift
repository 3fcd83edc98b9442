import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// Executes single instructions. An instruction that has to wait is executed again whenever
/// something arrives or its deadline passes.
extension ScenarioSession {
    mutating func execute(_ instruction: Instruction) -> StepProgress {
        if keepsHeldBytes(instruction.operation) == false { traffic.flushHeld() }
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
            traffic.install(rule, instruction: counter)
            return .done
        case .bind(let bindings): return bind(bindings, instruction.origin)
        case .loginName(let index, let variable):
            traffic.setLoginName(traffic.bindings[variable] ?? [], of: index)
            return .done
        case .fresh(let variable):
            traffic.bindings[variable] = traffic.random.word()
            return .done
        default: return executeBlock(instruction)
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
