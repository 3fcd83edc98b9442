import Diagnostics
import LineProtocol
import Scenario

/// What each instruction does. An instruction that waits is executed again whenever something arrived or
/// its time has come.
extension ScenarioSession {
    mutating func execute(_ instruction: Instruction) -> StepProgress {
        if keepsHeldBytes(instruction.operation) == false { flushHeld() }
        switch instruction.operation {
        case .connect(let index): return connect(index)
        case .close(let index), .halfClose(let index), .abort(let index):
            return end(index, instruction.operation)
        case .send(let index, let message): return send(index, message, instruction.origin)
        case .expect(let index, let mode, let pattern, let window):
            return expect(index, mode, pattern, window, instruction.origin)
        case .closed(let index, let manner, let window):
            return expectClose(index, manner, window)
        case .quiet(let index, let window): return quiet(index, window)
        case .wait(let least, let most): return wait(least, most)
        case .sync(let indices): return sync(indices)
        case .anyOrder(let expectations): return anyOrder(expectations)
        case .standing(let rule):
            standing.append(rule)
            return .done
        case .bind(let bindings): return bind(bindings, instruction.origin)
        case .loginName(let index, let variable):
            operators[index].loginName = context.variables[variable] ?? []
            return .done
        case .fresh(let variable):
            context.variables[variable] = random.word()
            return .done
        default: return executeBlock(instruction)
        }
    }

    /// Whether what was kept back to leave with what follows may stay so.
    private func keepsHeldBytes(_ operation: Operation) -> Bool {
        switch operation {
        case .send: options.segmentation == .coalesce || options.segmentation == .finWithData
        case .close, .halfClose, .bind, .fresh, .loginName, .standing: true
        default: false
        }
    }

    var stepTimeout: Int64 { program.stepTimeout ?? options.stepTimeout }

    // MARK: Connections

    private mutating func connect(_ index: Int) -> StepProgress {
        let box = operators[index]
        switch box.connection {
        case .open:
            if step.isEntered { return .done }
            return .failed(
                StepFailure(
                    code: "run.already-connected",
                    message: "\(box.name) is connected already"))
        case .none, .closed, .closedByPeer:
            step.isEntered = true
            open(index)
            return .blocked(until: step.start + stepTimeout)
        case .connecting(let since):
            step.isEntered = true
            return connecting(index, since)
        }
    }

    private mutating func open(_ index: Int) {
        let box = operators[index]
        box.generation += 1
        box.connection = .connecting(since: now)
        box.isHalfClosed = false
        box.framer = LineFramer(program.dialect, direction: .fromServer)
        box.fences = []
        box.forgetLines()
        actions.append(.connect(connection(index)))
    }

    private func connecting(_ index: Int, _ since: Int64) -> StepProgress {
        guard now < since + stepTimeout else {
            return .failed(
                StepFailure(
                    kind: .inconclusive, code: "run.no-connection",
                    message: "\(operators[index].name) was not connected within "
                        + duration(stepTimeout)))
        }
        return .blocked(until: since + stepTimeout)
    }

    /// Nil if the operator is connected, or was; else what the step has to wait for.
    private mutating func ensureConnected(_ index: Int) -> StepProgress? {
        switch operators[index].connection {
        case .open, .closedByPeer: return nil
        case .none:
            open(index)
            return .blocked(until: now + stepTimeout)
        case .connecting(let since):
            return connecting(index, since)
        case .closed:
            let name = operators[index].name
            return .failed(
                StepFailure(
                    code: "run.not-connected", message: "\(name) has closed its connection",
                    notes: [DiagnosticNote(.help, "write \(name) connect before this step")]))
        }
    }

    private mutating func end(_ index: Int, _ operation: Operation) -> StepProgress {
        let box = operators[index]
        if box.hasOutgoing { return .blocked(until: nil) }
        if step.isEntered { return .done }
        if case .none = box.connection { return ensureConnected(index) ?? .done }
        if case .connecting = box.connection { return ensureConnected(index) ?? .done }
        step.isEntered = true
        let id = connection(index)
        switch operation {
        case .halfClose:
            end(index, with: .halfClose(id))
            box.isHalfClosed = true
        case .abort:
            flushHeld(index)
            enqueue(.abort(id), index)
            close(index)
        default:
            end(index, with: .close(id))
            close(index)
        }
        drainOutgoing()
        return box.hasOutgoing ? .blocked(until: nil) : .done
    }

    private mutating func close(_ index: Int) {
        let box = operators[index]
        box.connection = .closed
        // Late bytes of this connection are not for the next one.
        box.fences = []
        recorder.record(.closed, box.name, at: now)
    }

    // MARK: Sending and waiting

    private mutating func send(
        _ index: Int, _ message: MessageTemplate, _ origin: Origin
    ) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        let box = operators[index]
        if !step.isEntered {
            if case .closedByPeer(let manner) = box.connection {
                return .failed(closedFailure(index, manner, "before this could be sent"))
            }
            if options.segmentation == .finWithData { flushHeldOfOthers(index) }
            step.isEntered = true
            switch render(message, index) {
            case .failure(let error): return .failed(error.failure)
            case .success(let parts):
                lastSend = (line(of: origin), now)
                queue(parts, index, role: .plain)
            }
        }
        return box.hasOutgoing ? .blocked(until: nil) : .done
    }

    private mutating func flushHeldOfOthers(_ index: Int) {
        for other in operators.indices where other != index { flushHeld(other) }
    }

    private mutating func wait(_ least: Int64, _ most: Int64) -> StepProgress {
        if let until = step.until { return now >= until ? .done : .blocked(until: until) }
        let span = UInt64(max(0, most - least)) + 1
        let until = step.start + least + Int64(random.next() % span)
        step.until = until
        return now >= until ? .done : .blocked(until: until)
    }

    private mutating func bind(
        _ bindings: [(variable: Int, value: MessageTemplate.Bytes)], _ origin: Origin
    ) -> StepProgress {
        for binding in bindings {
            switch render(value: binding.value, origin.range) {
            case .success(let bytes): context.variables[binding.variable] = bytes
            case .failure(let error): return .failed(error.failure)
            }
        }
        return .done
    }

    private mutating func sync(_ named: [Int]) -> StepProgress {
        let indices =
            named.isEmpty
            ? operators.indices.filter { operators[$0].connection == .open } : named
        var latest: Int64 = step.start
        var isWaiting = false
        for index in indices {
            if let progress = ensureConnected(index) { return progress }
            if case .waiting(let until) = fence(index) {
                isWaiting = true
                latest = max(latest, until)
            }
        }
        return isWaiting ? .blocked(until: latest) : .done
    }

    // MARK: Expecting

    private mutating func expect(
        _ index: Int, _ mode: Expectation.Mode, _ pattern: LinePattern, _ window: TimeWindow,
        _ origin: Origin
    ) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        switch mode {
        case .next: return expectNext(index, pattern, window)
        case .skip: return expectSkipping(index, pattern, window, origin)
        case .optional: return expectOptional(index, pattern)
        case .never: return expectNever(index, pattern, window)
        }
    }

    private mutating func expectNext(
        _ index: Int, _ pattern: LinePattern, _ window: TimeWindow
    ) -> StepProgress {
        while let line = operators[index].takeLine() {
            guard let mismatch = matcher.mismatch(pattern, line, &context) else {
                return taken(line, window, pattern)
            }
            if !line.isUnasked {
                return .failed(mismatchFailure(mismatch, pattern, line, index))
            }
        }
        return waitForLine(index, pattern, window)
    }

    private mutating func expectSkipping(
        _ index: Int, _ pattern: LinePattern, _ window: TimeWindow, _ origin: Origin
    ) -> StepProgress {
        while let line = operators[index].takeLine() {
            if matcher.mismatch(pattern, line, &context) == nil {
                return taken(line, window, pattern)
            }
            step.looked += 1
            if origin.failsOnReject, isRefusal(line, index) {
                return .failed(refusalFailure(line, pattern, index))
            }
        }
        return waitForLine(index, pattern, window)
    }

    private mutating func isRefusal(_ line: ReceivedLine, _ index: Int) -> Bool {
        context.variables[program.nameVariable] = operators[index].loginName
        return program.rejects.contains { matcher.mismatch($0, line, &context) == nil }
    }

    /// A line has matched: it must not have come too early.
    private mutating func taken(
        _ line: ReceivedLine, _ window: TimeWindow, _ pattern: LinePattern
    ) -> StepProgress {
        let waited = line.time - step.start
        if let earliest = window.earliest, waited < earliest {
            return .failed(
                StepFailure(
                    code: "run.too-early",
                    message: "expected \(pattern.text) not before \(duration(earliest)), "
                        + "it came after \(duration(max(0, waited)))",
                    range: pattern.range, label: received(line)))
        }
        context.variables.set(context.captures)
        return .done
    }

    private mutating func waitForLine(
        _ index: Int, _ pattern: LinePattern, _ window: TimeWindow
    ) -> StepProgress {
        if case .closedByPeer(let manner) = operators[index].connection {
            return .failed(
                closedFailure(index, manner, "while \(pattern.text) was expected", pattern.range))
        }
        let until = step.start + (window.latest ?? stepTimeout)
        guard now >= until else { return .blocked(until: until) }
        return .failed(timeoutFailure(index, pattern, until - step.start))
    }

    private mutating func expectOptional(_ index: Int, _ pattern: LinePattern) -> StepProgress {
        for line in operators[index].unread.dropFirst(step.looked) {
            step.looked += 1
            if matcher.mismatch(pattern, line, &context) == nil {
                context.variables.set(context.captures)
                operators[index].dropLines(step.looked)
                return .done
            }
            if !line.isUnasked { return .done }
        }
        if case .waiting(let until) = fence(index) { return .blocked(until: until) }
        return .done
    }

    private mutating func expectNever(
        _ index: Int, _ pattern: LinePattern, _ window: TimeWindow
    ) -> StepProgress {
        let lines = Array(operators[index].unread.dropFirst(step.looked))
        for line in lines {
            step.looked += 1
            guard matcher.mismatch(pattern, line, &context) == nil else { continue }
            return .failed(
                StepFailure(
                    code: "run.unwanted-line", message: "\(pattern.text) must not arrive, but did",
                    range: pattern.range, label: received(line)))
        }
        return untilQuiet(index, window)
    }

    private mutating func quiet(_ index: Int, _ window: TimeWindow) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        if let line = operators[index].unread.first(where: { !$0.isUnasked }) {
            return .failed(
                StepFailure(
                    code: "run.not-quiet",
                    message: "nothing may arrive for \(operators[index].name), "
                        + "but something did",
                    label: received(line)))
        }
        return untilQuiet(index, window)
    }

    /// Goes on when the clock says so, or the fence has been answered.
    private mutating func untilQuiet(_ index: Int, _ window: TimeWindow) -> StepProgress {
        if let time = window.latest {
            isTimingBased = true
            let until = step.start + time
            return now >= until ? .done : .blocked(until: until)
        }
        if case .waiting(let until) = fence(index) { return .blocked(until: until) }
        return .done
    }

    private mutating func expectClose(
        _ index: Int, _ manner: ClosingManner?, _ window: TimeWindow
    ) -> StepProgress {
        if let progress = ensureConnected(index) { return progress }
        while operators[index].takeLine() != nil {}
        let name = operators[index].name
        guard case .closedByPeer(let actual) = operators[index].connection else {
            let until = step.start + (window.latest ?? stepTimeout)
            guard now >= until else { return .blocked(until: until) }
            return .failed(
                StepFailure(
                    code: "run.not-closed",
                    message: "expected the server to close \(name)'s connection within "
                        + "\(duration(until - step.start)), it is still open"))
        }
        if let earliest = window.earliest, now - step.start < earliest {
            return .failed(
                StepFailure(
                    code: "run.too-early",
                    message: "expected the server to close \(name)'s connection not before "
                        + "\(duration(earliest)), it did so after \(duration(now - step.start))"))
        }
        if let manner, manner != actual {
            return .failed(
                StepFailure(
                    code: "run.closed-otherwise",
                    message: "expected the server to close \(name)'s connection by "
                        + "\(manner.rawValue), it did so by \(actual.rawValue)"))
        }
        return .done
    }

    private mutating func anyOrder(_ expectations: [UnorderedExpectation]) -> StepProgress {
        if !step.isEntered {
            step.isEntered = true
            step.open = expectations
        }
        for index in Set(expectations.map(\.operatorIndex)).sorted() {
            if let progress = ensureConnected(index) { return progress }
            while step.open.contains(where: { $0.operatorIndex == index }),
                let line = operators[index].takeLine()
            {
                if let failure = takeUnordered(line, index) { return .failed(failure) }
            }
        }
        guard let first = step.open.first else { return .done }
        var soonest = Int64.max
        for open in step.open {
            let until = step.start + (open.window.latest ?? stepTimeout)
            soonest = min(soonest, until)
            if now >= until {
                return .failed(timeoutFailure(open.operatorIndex, open.pattern, until - step.start))
            }
        }
        if case .closedByPeer(let manner) = operators[first.operatorIndex].connection {
            return .failed(
                closedFailure(
                    first.operatorIndex, manner, "while \(first.pattern.text) was expected",
                    first.pattern.range))
        }
        return .blocked(until: soonest)
    }

    /// Crosses off the first open expectation that the line meets.
    private mutating func takeUnordered(_ line: ReceivedLine, _ index: Int) -> StepFailure? {
        var nearest: (mismatch: Mismatch, pattern: LinePattern)?
        var skips = false
        for (place, open) in step.open.enumerated() where open.operatorIndex == index {
            guard let mismatch = matcher.mismatch(open.pattern, line, &context) else {
                context.variables.set(context.captures)
                step.open.remove(at: place)
                return nil
            }
            skips = skips || open.mode == .skip
            if nearest == nil
                || (nearest?.mismatch.isOtherCommand == true && !mismatch.isOtherCommand)
            {
                nearest = (mismatch, open.pattern)
            }
        }
        guard !skips, !line.isUnasked, let nearest else { return nil }
        return mismatchFailure(nearest.mismatch, nearest.pattern, line, index)
    }
}
