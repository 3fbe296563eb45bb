import Domain
import Glibc
import Media
import Runtime
import Testing
import VoicemailCore

struct FileMediaStoreTests {
    private func withStore(_ body: (FileMediaStore, _ folder: String) async throws -> Void) async throws {
        let folder = "/tmp/bellwire-store-test-\(getpid())-\(BellwireID.make())"
        let disk = try DiskThread()
        try await disk.start()
        try Disk.makeFolder(folder)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(FileMediaStore(root: folder + "/store", disk: disk), folder))
        } catch {
            result = .failure(error)
        }
        await disk.stop()
        VoicemailFixture.removeTree(folder)
        try result.get()
    }

    @Test("A file is taken in as it is, stays where it was, and no temporary name is left; again is the same")
    func put() async throws {
        try await withStore { store, folder in
            let path = folder + "/message.wav"
            try Disk.write([1, 2, 3, 4], to: path)
            for _ in 0..<2 {
                let stored = try await store.put(fileAt: path, key: "messages/ab/one.wav")
                #expect(stored.sizeBytes == 4)
                #expect(
                    stored.media == MediaReference(key: "messages/ab/one.wav", bucket: "voicemail", region: "local"))
                #expect(try await store.read(stored.media, offset: 1, count: 9) == [2, 3, 4])
                #expect(Disk.list(folder + "/store/voicemail/messages/ab") == ["one.wav"])
            }
            #expect(try Disk.read(path) == [1, 2, 3, 4])
        }
    }

    @Test("From another file system it is copied", .enabled(if: Disk.exists("/dev/shm")))
    func copied() async throws {
        try await withStore { store, _ in
            let path = "/dev/shm/bellwire-store-test-\(getpid())"
            let bytes = [UInt8](repeating: 7, count: 1_200_000)
            try Disk.write(bytes, to: path)
            defer { unlink(path) }
            let stored = try await store.put(fileAt: path, key: "messages/two.wav")
            #expect(stored.sizeBytes == bytes.count)
            #expect(try await store.read(stored.media, offset: 0, count: 2_000_000) == bytes)
        }
    }

    @Test("What is not there is missing, and removing it no error")
    func missing() async throws {
        try await withStore { store, _ in
            let media = MediaReference(key: "messages/none.wav", bucket: "voicemail", region: "local")
            await #expect(throws: MediaMissing.self) { try await store.size(of: media) }
            try await store.remove(media)
        }
    }

    @Test(
        "No key leaves its folder", arguments: ["../secret", "messages/../../secret", "", "/etc/passwd", "a//b", ".x"])
    func escape(key: String) async throws {
        try await withStore { store, _ in
            await #expect(throws: MediaMissing.self) { try await store.put([1], key: key) }
            let media = MediaReference(key: key, bucket: "voicemail", region: "local")
            await #expect(throws: MediaMissing.self) { try await store.read(media, offset: 0, count: 1) }
        }
    }
}
