import { EventStreamCodec } from "@smithy/core/event-streams";

/** An event of Bedrock's streams: its payload under its type. */
export type BedrockEvent = Readonly<Record<string, unknown>>;

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8")),
  (text) => Buffer.from(text),
);

/** Returns an event as the binary message that Bedrock sends. */
export function encodeBedrockEvent(event: BedrockEvent): Buffer {
  const [type = ""] = Object.keys(event);
  const kind = type.endsWith("Exception") ? "exception" : "event";
  const header = (value: string) => ({ type: "string" as const, value });
  return Buffer.from(
    codec.encode({
      headers: {
        [`:${kind}-type`]: header(type),
        ":content-type": header("application/json"),
        ":message-type": header(kind),
      },
      body: Buffer.from(JSON.stringify(event[type])),
    }),
  );
}
