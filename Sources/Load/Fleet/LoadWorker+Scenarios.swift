import CEpoll
import Glibc

/// The sockets of those who play scenarios come after those of the core's operators.
extension LoadWorker {
    /// Carries out what plays want.
    mutating func carryOutPlays() {
        guard let crew else { return }
        while !crew.outputs.isEmpty {
            let outputs = crew.outputs
            crew.outputs.removeAll(keepingCapacity: true)
            for output in outputs {
                switch output {
                case .connect(let slot):
                    discard(core.count + slot)
                    connect(core.count + slot, at: lj_now())
                case .send(let slot, let bytes): send(bytes, core.count + slot)
                case .halfClose(let slot): halfCloseSocket(core.count + slot)
                case .leave(let slot): leavePlay(core.count + slot)
                case .reset(let slot):
                    connecting[core.count + slot] = nil
                    resetSocket(core.count + slot)
                }
            }
        }
    }

    private mutating func leavePlay(_ index: Int) {
        guard sockets[index] >= 0, connecting[index] == nil, !options.resetsOnClose,
            remotes == nil
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

    /// Closes a socket, whatever it is at.
    private mutating func discard(_ index: Int) {
        connecting[index] = nil
        waitingToConnect.removeAll { $0 == index }
        closeSocket(index)
    }
}
