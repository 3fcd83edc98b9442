import CEpoll
import Glibc

/// Socket handling for scenario runs. Their socket indices follow those of the pool's operators.
extension LoadWorker {
    /// Carries out the scenario pool's outputs.
    mutating func carryOutScenarioOutputs() {
        guard let scenarioPool else { return }
        while !scenarioPool.outputs.isEmpty {
            let outputs = scenarioPool.outputs
            scenarioPool.outputs.removeAll(keepingCapacity: true)
            for output in outputs {
                switch output {
                case .connect(let slot):
                    discard(pool.count + slot)
                    connect(pool.count + slot, at: lj_now())
                case .send(let slot, let bytes): send(bytes[...], pool.count + slot)
                case .halfClose(let slot): halfCloseSocket(pool.count + slot)
                case .leave(let slot): leaveScenario(pool.count + slot)
                case .reset(let slot):
                    connecting[pool.count + slot] = nil
                    resetSocket(pool.count + slot)
                }
            }
        }
    }

    private mutating func leaveScenario(_ index: Int) {
        guard sockets[index] >= 0, connecting[index] == nil, !options.resetsOnClose,
            eventLoops == nil
        else {
            discard(index)
            return
        }
        let socket = sockets[index]
        flush(index)
        pending[index] = nil
        sockets[index] = -1
        shutdown(socket, Int32(SHUT_WR))
        linger(socket)
    }

    /// Closes a connection, whether it is established, connecting or still waiting to connect.
    private mutating func discard(_ index: Int) {
        connecting[index] = nil
        waitingToConnect.removeAll { $0 == index }
        closeSocket(index)
    }
}
