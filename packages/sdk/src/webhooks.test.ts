import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "./webhooks.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const AT_S = 1_795_096_862;
const now = () => AT_S * 1000;
const BODY = JSON.stringify({
  id: "whe_1",
  type: "api_key.created",
  timestamp: "2026-11-19T14:01:02.000Z",
  data: { id: "key_1", name: "ü", created_at: "2026-11-19T14:01:02.000Z" },
});

/** Headers as the package of Standard Webhooks signs them. */
function sign(body = BODY, { secret = SECRET, atSeconds = AT_S } = {}) {
  return {
    "webhook-id": "whe_1",
    "webhook-timestamp": String(atSeconds),
    "webhook-signature": new Webhook(secret).sign("whe_1", new Date(atSeconds * 1000), body),
  };
}

describe("verifyWebhook", () => {
  test("returns the event, with its dates", async () => {
    const event = await verifyWebhook(BODY, sign(), SECRET, { now });
    expect(event).toMatchObject({ id: "whe_1", type: "api_key.created", data: { name: "ü" } });
    expect(event.type === "api_key.created" && event.data.created_at).toEqual(new Date("2026-11-19T14:01:02.000Z"));
  });

  test.each([
    ["a Headers object", new Headers(sign()), BODY],
    ["bytes", sign(), new TextEncoder().encode(BODY)],
    [
      "an empty signature before the right one",
      { ...sign(), "webhook-signature": `v1, ${sign()["webhook-signature"]}` },
      BODY,
    ],
    [
      "a secret that is rotated",
      {
        ...sign(),
        "webhook-signature": `${sign(BODY, { secret: OTHER })["webhook-signature"]} ${sign()["webhook-signature"]}`,
      },
      BODY,
    ],
  ])("accepts %s", async (_case, headers, body) => {
    await expect(verifyWebhook(body, headers, SECRET, { now })).resolves.toMatchObject({ id: "whe_1" });
  });

  test.each([
    ["another secret", sign(BODY, { secret: OTHER }), BODY],
    ["another body", sign(), BODY.replace("key_1", "key_2")],
    ["another id", { ...sign(), "webhook-id": "whe_2" }, BODY],
    ["another time", { ...sign(), "webhook-timestamp": String(AT_S + 1) }, BODY],
    [
      "a signature of another version",
      { ...sign(), "webhook-signature": sign()["webhook-signature"].replace("v1,", "v1a,") },
      BODY,
    ],
    ["a signature that is no base64", { ...sign(), "webhook-signature": "v1,???" }, BODY],
    [
      "the signature of its hexadecimal form",
      { ...sign(), "webhook-signature": `v1,${createHmac("sha256", SECRET).update(BODY).digest("hex")}` },
      BODY,
    ],
    ["no headers", {}, BODY],
    ["a time that is none", { ...sign(), "webhook-timestamp": "soon" }, BODY],
    ["a body that is no JSON", sign("{"), "{"],
  ])("refuses %s", async (_case, headers, body) => {
    await expect(verifyWebhook(body, headers, SECRET, { now })).rejects.toThrow(WebhookVerificationError);
  });

  test("refuses what is more than 5 minutes old or ahead, or what it is told", async () => {
    const at = (atSeconds: number, toleranceSeconds?: number) =>
      verifyWebhook(BODY, sign(BODY, { atSeconds }), SECRET, { now, toleranceSeconds });
    await expect(at(AT_S - 300)).resolves.toBeDefined();
    await expect(at(AT_S - 301)).rejects.toThrow("too old");
    await expect(at(AT_S + 301)).rejects.toThrow("too old");
    await expect(at(AT_S - 11, 10)).rejects.toThrow("too old");
  });

  test.each([[undefined], [""], ["whsec_"], ["whsec_???"]])("says that the secret %s is none", async (secret) => {
    await expect(verifyWebhook(BODY, sign(), secret, { now })).rejects.toThrow("The secret of the webhook endpoint");
  });
});
