import { errors } from "../../platform/core/errors/index.ts";
import type { Exchange } from "../../platform/core/http/exchange.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { toJsonText } from "../../platform/core/http/json-text.ts";
import type { createReadDocument } from "./read-document.ts";

/** The route that reads the text of a document. It comes in a form, so the handler answers as those of calls to models do. */
export function documentRoutes(readDocument: ReturnType<typeof createReadDocument>): Handlers {
  return {
    "documents.read": async ({ actor, body, exchange }) => {
      const { response } = exchange;
      const gone = new AbortController();
      const onClose = () => gone.abort();
      response.once("close", onClose);
      try {
        const { file }: { file: unknown } = body; // the contract describes its bytes as a text
        if (!(file instanceof File))
          throw errors.invalidRequest("Send the file in the field file of the form.", { param: "file" });
        sendJson(exchange, await readDocument({ file, userId: actor.userId, signal: gone.signal }));
      } catch (error) {
        if (!gone.signal.aborted) throw error; // else nobody waits for an answer
      } finally {
        response.off("close", onClose);
      }
    },
  };
}

function sendJson({ response, responseHeaders }: Exchange, body: object): void {
  const text = toJsonText(body);
  response.writeHead(200, {
    ...responseHeaders,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
