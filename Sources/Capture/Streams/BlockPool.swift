import Glibc

/// A pool of memory blocks of equal size, which are numbered from 0.
///
/// The memory for thousands of blocks consists of huge pages. With small pages, translating the
/// address of a block takes longer than loading the block.
@safe final class BlockPool {
    /// Size of a huge page.
    private static let chunkBytes = 1 << 21
    static let blockBytes = 512
    private static let blocksPerChunk = chunkBytes / blockBytes
    /// Maximum number of chunks, far above what fits in memory.
    private static let chunksMax = 1 << 20

    /// The addresses of the chunks. The system provides memory only for those that are used.
    private let chunks: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private var chunkCount = 0
    /// Number of blocks that have been used.
    private var count = 0
    private var free: [Int] = []

    init() { unsafe chunks = UnsafeMutablePointer.allocate(capacity: Self.chunksMax) }

    deinit {
        for index in 0..<chunkCount { unsafe chunks[index].deallocate() }
        unsafe chunks.deallocate()
    }

    /// Returns the number of an unused block. Its memory is not initialised.
    func allocate() -> Int {
        if let index = free.popLast() { return index }
        if count == chunkCount * Self.blocksPerChunk { addChunk() }
        count += 1
        return count - 1
    }

    /// Makes a block available again. Its memory stays readable.
    func deallocate(_ index: Int) { free.append(index) }

    /// Returns the address of a block, which is a multiple of ``blockBytes``.
    @inline(__always)
    func address(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe chunks[index / Self.blocksPerChunk] + index % Self.blocksPerChunk * Self.blockBytes
    }

    private func addChunk() {
        let chunk = UnsafeMutableRawPointer.allocate(
            byteCount: Self.chunkBytes, alignment: Self.chunkBytes)
        #if os(Linux)
            // The first chunk has small pages, because most captures need only a few of them. If
            // the system does not provide huge pages, small ones do as well.
            if chunkCount > 0 { _ = unsafe madvise(chunk, Self.chunkBytes, MADV_HUGEPAGE) }
        #endif
        unsafe chunks[chunkCount] = chunk
        chunkCount += 1
    }
}
