/**
 * A stand-in for Azure Marketplace, which cannot run here: the SaaS fulfillment subscription and operation APIs, version 2
 * (2018-08-31), batches of the metered billing API, and as much of Microsoft Entra as gives out tokens and the keys that sign
 * them. It is written from the pages pc-saas-fulfillment-apis and marketplace-metering-service-apis of
 * https://learn.microsoft.com/partner-center/marketplace-offers as of November 2026. It checks tokens, keeps state, and fails
 * as a test says. Private offers are missing.
 */
import { createHash, createPublicKey, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { SIGNER } from "../../certificate.ts";
import { type RecordedRequest, sendJson, startHttpServer } from "../../http-server.ts";
import { signToken } from "../tokens.ts";
import { type MeteringStore, meterBatch } from "./metering.ts";
import { act, type Operation, type Subscription } from "./subscriptions.ts";

export type { Subscription } from "./subscriptions.ts";

/** The seller that the stand-in knows. */
export const AZURE_SELLER = Object.freeze({
  tenantId: "11111111-2222-3333-4444-555555555555",
  clientId: "66666666-7777-8888-9999-000000000000",
  clientSecret: "stand-in~secret",
  offerId: "feather-plans",
});

const FULFILLMENT_APP_ID = "20e940b3-4c77-4b0b-9a53-9e16a1b010a7";
const KEY_ID = "key-1";

/** Starts the stand-in without customers. `now` returns milliseconds since 1970. */
export async function startFakeAzureMarketplace({ now = Date.now }: { now?: () => number } = {}) {
  const subscriptions = new Map<string, Subscription>();
  const operations = new Map<string, Operation>();
  const tokens = new Map<string, string>();
  const accessTokens = new Set<string>();
  const failures: { path: RegExp; status: number }[] = [];
  const metering: MeteringStore = { events: [], dimensions: new Set(), subscriptions, unprocessed: 0 };
  let lostAnswers = 0;
  let count = 0;
  const server = await startHttpServer((request, response) => {
    const { pathname } = new URL(request.url, "http://azure.test");
    if (pathname === `/${AZURE_SELLER.tenantId}/oauth2/v2.0/token`) return giveToken(request, response, accessTokens);
    if (pathname === `/${AZURE_SELLER.tenantId}/discovery/v2.0/keys`)
      return sendJson(response, 200, { keys: [publicKey()] });
    const at = failures.findIndex((failure) => failure.path.test(`${request.method} ${pathname}`));
    const failure = at < 0 ? undefined : failures.splice(at, 1)[0]?.status;
    if (failure !== undefined)
      return sendJson(response, failure, { error: { code: "Failed" } }, { "retry-after": "0" });
    if (!accessTokens.has(request.headers.authorization?.replace("Bearer ", "") ?? ""))
      return sendJson(response, 401, { error: { code: "Unauthorized" } });
    if (pathname === "/api/batchUsageEvent") {
      const answer = meterBatch(request, metering, now());
      if (lostAnswers > 0) {
        lostAnswers--;
        return void response.destroy();
      }
      return sendJson(response, answer.status, answer.body);
    }
    const { status, body } = act(request, { subscriptions, operations, tokens });
    if (body === undefined) response.writeHead(status).end();
    else sendJson(response, status, body);
  });

  return {
    url: server.url,
    requests: server.requests,
    subscriptions,
    /** A customer buys. Returns the subscription and the token with which the buyer comes. */
    buy(planId: string, quantity: number | null, offerId: string = AZURE_SELLER.offerId) {
      const id = randomUUID();
      const subscription: Subscription = {
        id,
        publisherId: "feather",
        offerId,
        planId,
        ...(quantity !== null && { quantity }),
        saasSubscriptionStatus: "PendingFulfillmentStart",
        purchaser: { tenantId: randomUUID(), emailId: "buyer@example.com" },
      };
      subscriptions.set(id, subscription);
      const token = `azure+/${++count}==`;
      tokens.set(token, id);
      return { subscription, token };
    },
    /** Lets a token expire, as after a day. */
    expire: (token: string) => void tokens.delete(token),
    /** The customer asks for another plan, which begins once it is acknowledged. Returns the operation. */
    requestChange(id: string, planId: string, quantity: number | null): Operation {
      const operation: Operation = {
        id: randomUUID(),
        subscriptionId: id,
        action: "ChangePlan",
        planId,
        ...(quantity !== null && { quantity }),
        status: "InProgress",
      };
      operations.set(operation.id, operation);
      return operation;
    },
    /** Ends operations that nobody acknowledged as done, as Azure does after ten seconds. */
    acknowledgeAll(): void {
      for (const operation of operations.values())
        if (operation.status === "InProgress") finish(operation, subscriptions);
    },
    setStatus(id: string, status: Subscription["saasSubscriptionStatus"]): void {
      const subscription = subscriptions.get(id);
      if (subscription) subscription.saasSubscriptionStatus = status;
    },
    /** Makes the next requests of the fulfillment API fail whose method and path match, one for each status. */
    fail: (path: RegExp, ...statuses: readonly number[]) =>
      void failures.push(...statuses.map((status) => ({ path, status }))),
    recover: () => {
      failures.splice(0);
      lostAnswers = 0;
    },
    metering,
    /** Carries out the next requests that report usage, and ends the connection without an answer. */
    loseAnswers: (times: number) => {
      lostAnswers = times;
    },
    /** Makes all access tokens invalid. */
    revokeTokens: () => accessTokens.clear(),
    /** Returns a webhook as it is posted: headers with the token, and the body. */
    webhook(
      subscriptionId: string,
      action: string,
      { id = randomUUID(), claims = {}, key = SIGNER.key }: { id?: string; claims?: object; key?: string } = {},
    ) {
      const seconds = Math.floor(Date.now() / 1000);
      const token = signToken(
        {
          aud: AZURE_SELLER.clientId,
          iss: `https://sts.windows.net/${AZURE_SELLER.tenantId}/`,
          appid: FULFILLMENT_APP_ID,
          tid: AZURE_SELLER.tenantId,
          nbf: seconds - 60,
          exp: seconds + 3600,
          ...claims,
        },
        { key, keyId: KEY_ID },
      );
      return {
        headers: { authorization: `Bearer ${token}` },
        body: { id, activityId: id, action, subscriptionId, status: "InProgress", offerId: AZURE_SELLER.offerId },
      };
    },
    close: server.close,
  };
}

/** A running stand-in for Azure Marketplace. */
export type FakeAzureMarketplace = Awaited<ReturnType<typeof startFakeAzureMarketplace>>;

function finish(operation: Operation, subscriptions: Map<string, Subscription>): void {
  operation.status = "Succeeded";
  const subscription = subscriptions.get(operation.subscriptionId);
  if (!subscription) return;
  subscription.planId = operation.planId;
  if (operation.quantity !== undefined) subscription.quantity = operation.quantity;
}

function giveToken({ body }: RecordedRequest, response: ServerResponse, accessTokens: Set<string>): void {
  const form = new URLSearchParams(body);
  const isRight =
    form.get("grant_type") === "client_credentials" &&
    form.get("client_id") === AZURE_SELLER.clientId &&
    form.get("client_secret") === AZURE_SELLER.clientSecret &&
    form.get("scope") === `${FULFILLMENT_APP_ID}/.default`;
  const token = createHash("sha256").update(`${accessTokens.size}${randomUUID()}`).digest("hex");
  if (isRight) accessTokens.add(token);
  const answer = isRight
    ? { token_type: "Bearer", expires_in: 3599, access_token: token }
    : { error: "invalid_client", error_description: "AADSTS7000215" };
  sendJson(response, isRight ? 200 : 401, answer);
}

function publicKey(): object {
  return { ...createPublicKey(SIGNER.cert).export({ format: "jwk" }), kid: KEY_ID, use: "sig", alg: "RS256" };
}
