/* gRPC C++'s load client: one channel, one completion queue, one thread.
 *
 *   grpc_client ADDRESS echo IN-FLIGHT SECONDS
 *   grpc_client ADDRESS flow CHUNK-BYTES SECONDS
 */
#include <grpcpp/grpcpp.h>

#include "fabric.grpc.pb.h"
#include "load.h"

using bellwire::fabric::v1::Chunk;
using bellwire::fabric::v1::Fabric;
using bellwire::fabric::v1::FlowRequest;
using bellwire::fabric::v1::Note;

namespace {

Note note()
{
    Note n;
    n.set_id("01890a5d-ac96-774b-bcce-b302099a8057");
    n.set_account_id("01890a5d-ac96-774b-bcce-b302099a8058");
    n.set_from("+15551230000");
    n.set_to("+15551230001");
    n.set_created_milliseconds(1700000000000);
    n.set_state(3);
    n.set_answered(true);
    n.set_payload(std::string(80, 7));
    return n;
}

struct Call {
    grpc::ClientContext context;
    Note response;
    grpc::Status status;
    std::unique_ptr<grpc::ClientAsyncResponseReader<Note>> reader;
    uint64_t sent;

    Call(Fabric::Stub *stub, grpc::CompletionQueue *queue, const Note &request)
    {
        sent = now_ns();
        context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5));
        reader = stub->AsyncEcho(&context, request, queue);
        reader->Finish(&response, &status, this);
    }
};

void echo(Fabric::Stub *stub, int in_flight, int seconds)
{
    grpc::CompletionQueue queue;
    const Note request = note();
    struct load load = {};
    load.seconds = seconds;
    uint64_t start = now_ns() + WARM_UP, stop = start + uint64_t(seconds) * 1000000000ull;
    for (int i = 0; i < in_flight; i++) new Call(stub, &queue, request);
    void *tag;
    bool ok;
    while (queue.Next(&tag, &ok)) {
        auto *call = static_cast<Call *>(tag);
        if (!call->status.ok() || call->response.payload().size() != 80) die("a call failed");
        uint64_t now = now_ns();
        load.total++;
        if (call->sent >= start) {
            load.count++;
            load_add(&load, now - call->sent);
        }
        delete call;
        if (now >= stop) break;
        new Call(stub, &queue, request);
    }
    load_write(&load);
}

void flow(Fabric::Stub *stub, uint32_t chunk_bytes, int seconds)
{
    grpc::ClientContext context;
    FlowRequest request;
    request.set_chunk_bytes(chunk_bytes);
    auto reader = stub->Flow(&context, request);
    struct load load = {};
    load.seconds = seconds;
    uint64_t start = now_ns() + WARM_UP, stop = start + uint64_t(seconds) * 1000000000ull;
    Chunk chunk;
    while (reader->Read(&chunk)) {
        uint64_t now = now_ns();
        if (now >= stop) break;
        load.total += chunk.data().size();
        if (now < start) continue;
        load.count++;
        load.bytes += chunk.data().size();
    }
    load_write(&load);
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc < 5) return 64;
    auto channel = grpc::CreateChannel(argv[1], grpc::InsecureChannelCredentials());
    channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(5));
    auto stub = Fabric::NewStub(channel);
    if (std::string(argv[2]) == "echo") echo(stub.get(), atoi(argv[3]), atoi(argv[4]));
    else flow(stub.get(), uint32_t(atoi(argv[3])), atoi(argv[4]));
    // What is in flight is not waited for.
    _exit(0);
}
