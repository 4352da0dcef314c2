import type { ServerResponse } from "node:http";
import { type RecordedRequest, sendJson, startHttpServer } from "./http-server.ts";

/**
 * A model of the fake library: the sizes of its layers in bytes; in tokens, the context it runs with if it runs, and its
 * `num_ctx` if it has one.
 */
export type FakeOllamaModel = {
  layers: readonly number[];
  parameterSize?: string;
  runningContext?: number;
  numCtx?: number;
};

/** Tokens, on a machine without a graphics card. */
const DEFAULT_CONTEXT = 4_096;

/** How a pull goes wrong: it stops half-way until `release` is called, or the connection breaks half-way. */
type PullFault = "waits" | "breaks_off";

/**
 * A fake of a running Ollama, written from its documented API: `/api/version`, `/api/tags`, `/api/ps`, `/api/show`,
 * `/api/pull`, `/api/delete`, and OpenAI's calls below `/v1`. It runs no model: every answer is "Ollama says hello".
 */
export async function startFakeOllama(
  library: Readonly<Record<string, FakeOllamaModel>>,
  pulled: readonly string[] = [],
) {
  const models = new Set(pulled);
  const state: { fault: PullFault | null } = { fault: null };
  let gate = Promise.withResolvers<void>();

  const server = await startHttpServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://ollama");
    const body = parseBody(request);
    const name = withTag(String(body.model ?? body.name ?? ""));
    switch (`${request.method} ${pathname}`) {
      case "GET /api/version":
        return sendJson(response, 200, { version: "0.13.0" });
      case "GET /api/tags":
        return sendJson(response, 200, { models: [...models].map((model) => toTag(model, library)) });
      case "GET /api/ps":
        return sendJson(response, 200, { models: [...models].flatMap((model) => toRunning(model, library)) });
      case "POST /api/show":
        return models.has(name) ? sendJson(response, 200, toDescription(name, library)) : notFound(response, name);
      case "DELETE /api/delete":
        return models.delete(name) ? void response.writeHead(200).end() : notFound(response, name);
      case "POST /api/pull":
        return pull(response, name);
      case "GET /v1/models":
        return sendJson(response, 200, {
          object: "list",
          data: models.size === 0 ? null : [...models].map(toListed),
        });
      case "POST /v1/chat/completions":
        return models.has(name) ? sendJson(response, 200, toCompletion(name, body, library)) : notFound(response, name);
      default:
        return void response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found");
    }
  });

  /** Reports each layer at its half and at its end, as a stream of JSON objects. */
  async function pull(response: ServerResponse, name: string): Promise<void> {
    const model = library[name];
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    const report = (fields: object) => response.write(`${JSON.stringify(fields)}\n`);
    report({ status: "pulling manifest" });
    if (!model) return void response.end(`${JSON.stringify({ error: "pull model manifest: file does not exist" })}\n`);
    for (const [index, total] of model.layers.entries()) {
      const digest = `sha256:${index}`;
      report({ status: `pulling ${index}`, digest, total });
      report({ status: `pulling ${index}`, digest, total, completed: Math.floor(total / 2) });
      if (state.fault === "breaks_off") return void response.destroy();
      if (state.fault === "waits") await gate.promise;
      report({ status: `pulling ${index}`, digest, total, completed: total });
    }
    for (const status of ["verifying sha256 digest", "writing manifest", "success"]) report({ status });
    models.add(name);
    response.end();
  }

  return {
    /** Requests so far, with their bodies. */
    requests: server.requests,
    /** Number of responses whose connection ended before they did. */
    get aborted() {
      return server.aborted;
    },
    close: server.close,
    /** Its address up to and including `/v1`. */
    baseUrl: `${server.url}/v1`,
    state,
    /** Continues the pulls that wait. */
    release(): void {
      gate.resolve();
      gate = Promise.withResolvers();
    },
  };
}

/** A running fake of Ollama. */
export type FakeOllama = Awaited<ReturnType<typeof startFakeOllama>>;

function withTag(name: string): string {
  return name === "" || name.includes(":") ? name : `${name}:latest`;
}

function parseBody({ body }: RecordedRequest): Record<string, unknown> {
  return body === "" ? {} : JSON.parse(body);
}

function toTag(name: string, library: Readonly<Record<string, FakeOllamaModel>>) {
  const { layers = [], parameterSize = "0.6B" } = library[name] ?? {};
  const details = { format: "gguf", family: "qwen3", parameter_size: parameterSize, quantization_level: "Q4_K_M" };
  return { name, model: name, size: layers.reduce((sum, size) => sum + size, 0), digest: `digest of ${name}`, details };
}

/** Its owner is the part before the name, whatever is in front of that. */
function toListed(id: string) {
  return { id, object: "model", created: 1_780_000_000, owned_by: id.split("/").at(-2) ?? "library" };
}

function toRunning(name: string, library: Readonly<Record<string, FakeOllamaModel>>): object[] {
  const context = library[name]?.runningContext;
  return context === undefined ? [] : [{ name, model: name, context_length: context }];
}

function toDescription(name: string, library: Readonly<Record<string, FakeOllamaModel>>) {
  const numCtx = library[name]?.numCtx;
  return {
    details: toTag(name, library).details,
    ...(numCtx !== undefined && { parameters: `num_ctx                        ${numCtx}\nstop    "<|im_end|>"` }),
    model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
  };
}

/** Counts the words of the messages as tokens. Those that do not fit the context are left out without a word. */
function toCompletion(
  model: string,
  { messages }: Record<string, unknown>,
  library: Readonly<Record<string, FakeOllamaModel>>,
) {
  const { runningContext, numCtx } = library[model] ?? {};
  const words = JSON.stringify(messages ?? []).split(/\s+/).length;
  const prompt = Math.min(words, runningContext ?? numCtx ?? DEFAULT_CONTEXT);
  const message = { role: "assistant", content: "Ollama says hello" };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  const usage = { prompt_tokens: prompt, completion_tokens: 4, total_tokens: prompt + 4 };
  return { id: "chatcmpl-1", object: "chat.completion", created: 1_780_000_000, model, choices, usage };
}

function notFound(response: ServerResponse, name: string): void {
  sendJson(response, 404, { error: `model '${name}' not found` });
}
