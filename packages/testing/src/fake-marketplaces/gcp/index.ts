/**
 * A stand-in for Google Cloud Marketplace, which cannot run here: the Cloud Commerce Partner Procurement API, version 1, as far
 * as it is about accounts and entitlements, check and report of the Service Control API, version 1, the keys with which Google
 * signs the tokens of buyers and of Pub/Sub, and access tokens for service accounts. It is written from https://docs.cloud.google.com/marketplace/docs/partners/integrated-saas and
 * the reference of the API as of November 2026. It keeps state, and fails as a test says.
 */
import { createPublicKey } from "node:crypto";
import { SIGNER } from "../../certificate.ts";
import { sendJson, startHttpServer } from "../../http-server.ts";
import { signToken } from "../tokens.ts";
import { type Account, act, type Entitlement, type Store } from "./entitlements.ts";
import { control, type UsageStore } from "./service-control.ts";

export type { Entitlement } from "./entitlements.ts";

/** The seller that the stand-in knows. */
export const GCP_SELLER = Object.freeze({
  providerId: "DEMO-feather",
  product: "feather.endpoints.feather-public.cloud.goog",
  domain: "feather.example",
  pushAccount: "push@feather-public.iam.gserviceaccount.com",
  serviceAccountKey: JSON.stringify({
    type: "service_account",
    client_email: "seller@feather-public.iam.gserviceaccount.com",
    private_key: SIGNER.key,
    token_uri: "https://oauth2.googleapis.com/token",
  }),
});

const KEY_ID = "key-1";
const BUYER_ISSUER_PATH = "/robot/v1/metadata/x509/cloud-commerce-partner@system.gserviceaccount.com";
const ACCESS_TOKEN = "ya29.stand-in";

/** Starts the stand-in without customers. */
export async function startFakeGcpMarketplace() {
  const store: Store = { accounts: new Map(), entitlements: new Map() };
  const failures: { path: RegExp; status: number }[] = [];
  const usage: UsageStore = {
    service: GCP_SELLER.product,
    operations: [],
    metrics: new Set(),
    entitlements: store.entitlements,
    unprocessed: 0,
  };
  let lostAnswers = 0;
  let count = 0;
  const server = await startHttpServer((request, response) => {
    const { pathname } = new URL(request.url, "http://gcp.test");
    if (pathname === "/token")
      return sendJson(response, 200, { access_token: ACCESS_TOKEN, expires_in: 3599, token_type: "Bearer" });
    if (pathname === BUYER_ISSUER_PATH) return sendJson(response, 200, { [KEY_ID]: SIGNER.cert });
    if (pathname === "/oauth2/v3/certs") return sendJson(response, 200, { keys: [publicKey()] });
    const at = failures.findIndex(({ path }) => path.test(`${request.method} ${pathname}`));
    const failure = at < 0 ? undefined : failures.splice(at, 1)[0]?.status;
    if (failure !== undefined)
      return sendJson(response, failure, { error: { code: failure, status: "FAILED" } }, { "retry-after": "0" });
    if (request.headers.authorization !== `Bearer ${ACCESS_TOKEN}`)
      return sendJson(response, 401, { error: { code: 401, status: "UNAUTHENTICATED" } });
    const controlled = control(request, usage);
    if (controlled) {
      if (pathname.endsWith(":report") && lostAnswers > 0) {
        lostAnswers--;
        return void response.destroy();
      }
      return sendJson(response, controlled.status, controlled.body);
    }
    const { status, body } = act(request, GCP_SELLER.providerId, store);
    sendJson(response, status, body);
  });

  const sign = (claims: object, key: string = SIGNER.key) => signToken(claims, { key, keyId: KEY_ID });

  return {
    url: server.url,
    requests: server.requests,
    store,
    /** A customer buys. Returns the entitlement and the token with which the buyer comes. */
    buy(
      plan: string,
      { product = GCP_SELLER.product, accountId = `E-${++count}` }: { product?: string; accountId?: string } = {},
    ) {
      const { providerId } = GCP_SELLER;
      const account: Account = store.accounts.get(accountId) ?? {
        name: `providers/${providerId}/accounts/${accountId}`,
        state: "ACCOUNT_ACTIVE",
        approvals: [{ name: "signup", state: "PENDING" }],
      };
      store.accounts.set(accountId, account);
      const id = `entitlement-${++count}`;
      const entitlement: Entitlement = {
        name: `providers/${providerId}/entitlements/${id}`,
        account: account.name,
        productExternalName: product,
        plan,
        state: "ENTITLEMENT_ACTIVATION_REQUESTED",
        createTime: new Date(count * 1000).toISOString(),
        usageReportingId: `project_number:${count}`,
      };
      store.entitlements.set(id, entitlement);
      return { id, accountId, account, entitlement, token: this.buyerToken(accountId) };
    },
    /** Returns the token with which Google sends a buyer. */
    buyerToken(accountId: string, claims: object = {}, key?: string): string {
      const seconds = Math.floor(Date.now() / 1000);
      const usual = {
        iss: `https://www.googleapis.com${BUYER_ISSUER_PATH}`,
        aud: GCP_SELLER.domain,
        sub: accountId,
        iat: seconds,
        exp: seconds + 300,
      };
      return sign({ ...usual, ...claims }, key);
    },
    /** The customer asks for another plan. */
    requestChange(id: string, plan: string): void {
      const entitlement = store.entitlements.get(id);
      if (!entitlement) return;
      entitlement.newPendingPlan = plan;
      entitlement.state = "ENTITLEMENT_PENDING_PLAN_CHANGE_APPROVAL";
    },
    setState(id: string, state: Entitlement["state"]): void {
      const entitlement = store.entitlements.get(id);
      if (entitlement) entitlement.state = state;
    },
    /** Makes the next requests of the API fail whose method and path match, one for each status. */
    fail: (path: RegExp, ...statuses: readonly number[]) =>
      void failures.push(...statuses.map((status) => ({ path, status }))),
    recover: () => {
      failures.splice(0);
      lostAnswers = 0;
    },
    usage,
    /** Carries out the next reports of usage, and ends the connection without an answer. */
    loseAnswers: (times: number) => {
      lostAnswers = times;
    },
    /** Returns a notification as Pub/Sub pushes it: headers with the token, and the body. */
    push(
      event: object,
      audience: string,
      { id = `event-${++count}`, claims = {}, key }: { id?: string; claims?: object; key?: string } = {},
    ) {
      const seconds = Math.floor(Date.now() / 1000);
      const usual = {
        iss: "https://accounts.google.com",
        aud: audience,
        email: GCP_SELLER.pushAccount,
        email_verified: true,
        iat: seconds,
        exp: seconds + 3600,
      };
      const data = { eventId: id, providerId: GCP_SELLER.providerId, ...event };
      return {
        headers: { authorization: `Bearer ${sign({ ...usual, ...claims }, key)}` },
        body: {
          subscription: "projects/feather-public/subscriptions/marketplace",
          message: { messageId: String(++count), data: Buffer.from(JSON.stringify(data)).toString("base64") },
        },
      };
    },
    close: server.close,
  };
}

/** A running stand-in for Google Cloud Marketplace. */
export type FakeGcpMarketplace = Awaited<ReturnType<typeof startFakeGcpMarketplace>>;

function publicKey(): object {
  return { ...createPublicKey(SIGNER.cert).export({ format: "jwk" }), kid: KEY_ID, use: "sig", alg: "RS256" };
}
