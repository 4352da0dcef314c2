import { errors } from "../../platform/core/errors/index.ts";
import type { Exchange } from "../../platform/core/http/exchange.ts";
import { toJsonText } from "../../platform/core/http/json-text.ts";
import { whenGone } from "../../platform/core/http/when-gone.ts";

/** A file that was sent, and the signal that says that nobody waits for the answer any more. */
export type Upload = { file: File; signal: AbortSignal };

/** Answers a form with a file by what `use` returns, as JSON. The file is in a form, so the answer is sent as those of calls to models are. */
export async function answerUpload(
  { response, responseHeaders }: Exchange,
  { file }: { file: unknown }, // the contract describes its bytes as a text
  status: number,
  use: (upload: Upload) => Promise<object>,
): Promise<void> {
  const signal = whenGone(response);
  try {
    if (!(file instanceof File))
      throw errors.invalidRequest("Send the file in the field file of the form.", { param: "file" });
    const text = toJsonText(await use({ file, signal }));
    response.writeHead(status, {
      ...responseHeaders,
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  } catch (error) {
    if (!signal.aborted) throw error; // else nobody waits for an answer
  }
}
