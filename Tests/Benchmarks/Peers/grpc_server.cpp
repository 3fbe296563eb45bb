/* gRPC C++'s server, in each of its kinds:
 *
 *   grpc_server ADDRESS async [QUEUES]     completion queues, one thread each
 *   grpc_server ADDRESS callback
 *   grpc_server ADDRESS sync
 */
#include <grpcpp/grpcpp.h>

#include <thread>
#include <vector>

#include "fabric.grpc.pb.h"
#include "load.h"

using bellwire::fabric::v1::Chunk;
using bellwire::fabric::v1::Fabric;
using bellwire::fabric::v1::FlowRequest;
using bellwire::fabric::v1::Note;
using grpc::ServerCompletionQueue;

namespace {

struct Event {
    virtual ~Event() = default;
    virtual void proceed(bool ok) = 0;
};

struct EchoCall final : Event {
    Fabric::AsyncService *service;
    ServerCompletionQueue *queue;
    grpc::ServerContext context;
    Note request, response;
    grpc::ServerAsyncResponseWriter<Note> writer{&context};
    bool answered = false;

    EchoCall(Fabric::AsyncService *s, ServerCompletionQueue *q) : service(s), queue(q)
    {
        service->RequestEcho(&context, &request, &writer, queue, queue, this);
    }

    void proceed(bool ok) override
    {
        if (!ok || answered) {
            delete this;
            return;
        }
        new EchoCall(service, queue);
        response.Swap(&request);
        answered = true;
        writer.Finish(response, grpc::Status::OK, this);
    }
};

struct FlowCall final : Event {
    Fabric::AsyncService *service;
    ServerCompletionQueue *queue;
    grpc::ServerContext context;
    FlowRequest request;
    Chunk chunk;
    grpc::ServerAsyncWriter<Chunk> writer{&context};
    bool began = false;

    FlowCall(Fabric::AsyncService *s, ServerCompletionQueue *q) : service(s), queue(q)
    {
        service->RequestFlow(&context, &request, &writer, queue, queue, this);
    }

    void proceed(bool ok) override
    {
        if (!ok) {
            delete this;
            return;
        }
        if (!began) {
            began = true;
            new FlowCall(service, queue);
            chunk.set_data(std::string(request.chunk_bytes(), 7));
        }
        writer.Write(chunk, this);
    }
};

struct SyncService final : Fabric::Service {
    grpc::Status Echo(grpc::ServerContext *, const Note *request, Note *response) override
    {
        *response = *request;
        return grpc::Status::OK;
    }

    grpc::Status Flow(grpc::ServerContext *, const FlowRequest *request, grpc::ServerWriter<Chunk> *writer) override
    {
        Chunk chunk;
        chunk.set_data(std::string(request->chunk_bytes(), 7));
        while (writer->Write(chunk)) {}
        return grpc::Status::OK;
    }
};

struct Flow final : grpc::ServerWriteReactor<Chunk> {
    Chunk chunk;

    explicit Flow(const FlowRequest *request)
    {
        chunk.set_data(std::string(request->chunk_bytes(), 7));
        StartWrite(&chunk);
    }

    void OnWriteDone(bool ok) override
    {
        if (ok) StartWrite(&chunk);
        else Finish(grpc::Status::OK);
    }

    void OnDone() override { delete this; }
};

struct CallbackService final : Fabric::CallbackService {
    grpc::ServerUnaryReactor *Echo(grpc::CallbackServerContext *context, const Note *request, Note *response) override
    {
        *response = *request;
        auto *reactor = context->DefaultReactor();
        reactor->Finish(grpc::Status::OK);
        return reactor;
    }

    grpc::ServerWriteReactor<Chunk> *Flow(grpc::CallbackServerContext *, const FlowRequest *request) override
    {
        return new struct Flow(request);
    }
};

void run(ServerCompletionQueue *queue)
{
    void *tag;
    bool ok;
    while (queue->Next(&tag, &ok)) static_cast<Event *>(tag)->proceed(ok);
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc < 3) return 64;
    std::string kind = argv[2];
    grpc::ServerBuilder builder;
    builder.AddListeningPort(argv[1], grpc::InsecureServerCredentials());
    Fabric::AsyncService async;
    CallbackService callback;
    SyncService sync;
    std::vector<std::unique_ptr<ServerCompletionQueue>> queues;
    if (kind == "async") {
        builder.RegisterService(&async);
        for (int i = 0; i < (argc > 3 ? atoi(argv[3]) : 1); i++) queues.push_back(builder.AddCompletionQueue());
    } else if (kind == "callback") {
        builder.RegisterService(&callback);
    } else {
        builder.RegisterService(&sync);
    }
    auto server = builder.BuildAndStart();
    if (!server) die("bind");
    std::vector<std::thread> threads;
    for (auto &queue : queues) {
        for (int i = 0; i < 128; i++) new EchoCall(&async, queue.get());
        new FlowCall(&async, queue.get());
        threads.emplace_back(run, queue.get());
    }
    ready();
    server->Wait();
}
