import { errorCode } from "@feather/testing/errors";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Modules } from "./modules.ts";
import type { Actor, SignedInActor } from "./platform/core/auth/actor.ts";
import { AppError } from "./platform/core/errors/index.ts";
import type { Handlers } from "./platform/core/http/handlers.ts";
import { createSecret, hashSecret } from "./platform/core/secrets/secrets.ts";
import { createServer } from "./server.ts";
import {
  allowsAnonymous,
  isAdminOnly,
  OPERATIONS,
  requiredQueryOf,
  rowsOf,
  toPath,
  type WalkedOperation,
} from "./testing/contract-walk.ts";
import { inject } from "./testing/inject.ts";
import { type Account, createTestServer, type TestServer } from "./testing/server.ts";

/** The permissions of each role in its organization. Written out here, so that the test fails if only the code changes. */
const PERMISSIONS: Record<string, readonly string[]> = {
  viewer: [],
  developer: ["call_models", "manage_keys", "manage_applications"],
  editor: ["call_models", "manage_keys", "manage_applications", "manage_models", "manage_deployments"],
  admin: [
    "call_models",
    "manage_keys",
    "manage_applications",
    "manage_models",
    "manage_deployments",
    "manage_members",
    "manage_organization",
    "manage_billing",
  ],
};
const ALL = [
  "user.read",
  "user.write",
  "api.access",
  "keys.write",
  "deployments.write",
  "members.write",
  "billing.write",
];

/** Operations that need no signed-in user. */
const OPEN = [
  "v1.models.list",
  "v1.models.get",
  "models.list",
  "models.get",
  "models.families",
  "models.classes",
  "models.popular",
  "models.releases",
  "models.stats",
  "models.reviews.list",
  "models.reviews.tags",
  "pages.get",
  "posts.get",
  "posts.list",
  "status.errorRates",
  "status.history",
  "status.incidents",
  "auth.login",
  "auth.secondFactor",
  "auth.passkeys.beginSignIn",
  "auth.passkeys.signIn",
  "auth.register",
  "auth.state",
  "auth.logout",
  "auth.verifyEmail",
  "auth.forgotPassword",
  "auth.resetPassword",
  "auth.checkLink",
  "auth.setup",
  "auth.providers",
  "auth.connect",
  "auth.callback",
  "auth.invitation",
  "chatShares.read",
  "currencies.list",
  "subscription.plans",
  "oauth.token",
  "oauth.revoke",
  "oauth.device",
  "oauth.metadata",
  "health.live",
  "health.ready",
  "system.openapi",
  "system.config",
  "system.routeRules",
  "testPayments.page",
  "testPayments.submit",
  "payments.stripeWebhook",
  "payments.webhook",
  "marketplace.awsLanding",
  "marketplace.awsNotification",
  "marketplace.azureLanding",
  "marketplace.azureNotification",
  "marketplace.gcpLanding",
  "marketplace.gcpNotification",
  "deployments.redeemLogin",
  "deployments.models",
  "deployments.chat.completions.create",
  "deployments.completions.create",
  "deployments.embeddings.create",
];

/** Operations that change only the caller's own data, or check by themselves whose data they change. */
const PERSONAL = [
  "concurrency.cancel",
  "models.reviews.create",
  "models.reviews.delete",
  "models.reviews.helpful",
  "models.reviews.report",
  "models.favorite",
  "models.unfavorite",
  "auth.disconnect",
  "auth.link",
  "auth.sessions.deleteOthers",
  "auth.sessions.delete",
  "auth.changePassword",
  "auth.passkeys.register",
  "auth.passkeys.beginRegistration",
  "auth.passkeys.update",
  "auth.passkeys.delete",
  "auth.totp.begin",
  "auth.totp.disable",
  "auth.totp.confirm",
  "account.update",
  "account.delete",
  "account.authorizations.delete",
  "organization.switch",
  "organization.members.delete",
  "organization.invitations.accept",
  "conversations.deleteAll",
  "conversations.put",
  "conversations.delete",
  "conversations.putEntries",
  "chatShares.create",
  "chatShares.delete",
  "prompts.put",
  "prompts.delete",
  "referral.setReferrer",
  "oauth.authorize",
  "oauth.verifyDevice",
  "admin.stopImpersonation",
];

/**
 * The operations besides reading that an admin may call while acting as another user: those that neither store nor cost
 * anything, and the one that ends it.
 */
const OPEN_TO_IMPERSONATORS = [
  "tokenize.create", // counts tokens
  "messages.countTokens", // counts tokens
  "preflight.create", // checks whether a call would be accepted
  "admin.stopImpersonation", // ends it
];

type Caller = {
  secret?: string;
  /** The security scheme of the contract for this caller's credential; "refused" for an invalid credential. */
  scheme: "none" | "session" | "bearer" | "refused";
  role?: string;
  scopes?: readonly string[];
  platformAdmin?: boolean;
  impersonated?: boolean;
  unverified?: boolean;
};

const REACHED = 418;
/** A server whose handlers only report that they were reached, so that only the access checks are tested. */
let server: TestServer;
let app: FastifyInstance;
const callers = new Map<string, Caller>();

beforeAll(async () => {
  server = await createTestServer();
  await makeCallers();
  const reached = async ({ actor }: { actor: Actor }) => {
    throw new AppError(REACHED, actor.kind, "Let in.");
  };
  const handlers = Object.fromEntries(OPERATIONS.map(({ operationId }) => [operationId, reached])) as Handlers;
  app = await createServer(withTokens(server.platform), handlers);
});
afterAll(async () => {
  await app.close();
  await server.close();
});

/** Access tokens as the OAuth provider issues them: they act for a user, within the scopes that the user granted. */
const tokens = new Map<string, SignedInActor>();

function withTokens(platform: Modules): Modules {
  const { identity } = platform.api;
  const authenticate = async (secret: string) => tokens.get(secret) ?? identity.authenticate(secret);
  return { ...platform, api: { ...platform.api, identity: { ...identity, authenticate } } };
}

async function makeCallers(): Promise<void> {
  const owner = await server.signUpOnPlan({});
  const other = await server.signUp();
  const admin = await server.signInAdmin();
  const session = { scheme: "session", role: "admin", scopes: ALL } as const;
  callers.set("a visitor", { scheme: "none" });
  callers.set("a made-up key", { scheme: "refused", secret: createSecret("rc") });
  callers.set("a made-up token", { scheme: "refused", secret: createSecret("oat") });
  callers.set("a made-up session", { scheme: "refused", secret: createSecret("ses") });
  callers.set("the owner", { ...session, secret: owner.token });
  callers.set("another user", { ...session, secret: other.token });
  callers.set("an admin of the platform", { ...session, secret: admin.token, platformAdmin: true });
  for (const role of ["viewer", "developer", "editor", "admin"]) {
    const member = await joined(owner, role);
    callers.set(`a member who is ${role}`, { ...session, role, secret: member.token });
    callers.set(`a key of a member who is ${role}`, {
      scheme: "bearer",
      role,
      scopes: ALL,
      secret: await keyOf(member, ALL),
    });
  }
  for (const scope of [...ALL, "admin"]) {
    const key = { scheme: "bearer", role: "admin", scopes: [scope] } as const;
    callers.set(`a key with ${scope}`, { ...key, secret: await keyOf(owner, [scope]) });
    callers.set(`an admin's key with ${scope}`, {
      ...key,
      secret: await keyOf(admin, [scope]),
      platformAdmin: scope === "admin",
    });
    callers.set(`a token with ${scope}`, { ...key, secret: tokenOf(owner, [scope]) });
  }
  callers.set("a key without scopes", { scheme: "bearer", role: "admin", scopes: [], secret: await keyOf(owner, []) });
  callers.set("a token without scopes", { scheme: "bearer", role: "admin", scopes: [], secret: tokenOf(owner, []) });
  const unverified = await server.signUp();
  await server.db.updateTable("users").set({ email_verified_at: null }).where("id", "=", unverified.userId).execute();
  callers.set("a user whose e-mail is not confirmed", { ...session, secret: unverified.token, unverified: true });
  const suspended = await server.signUp();
  await server.db.updateTable("users").set({ suspended_at: new Date() }).where("id", "=", suspended.userId).execute();
  callers.set("a suspended user", { scheme: "refused", secret: suspended.token });
  const started = await server.call(`/api/admin/users/${other.userId}/impersonate`, {
    token: admin.token,
    body: { reason: "The matrix" },
  });
  callers.set("an admin who acts as a user", {
    ...session,
    secret: started.headers.get("x-session-token") ?? "",
    impersonated: true,
  });
}

async function joined(owner: Account, role: string): Promise<Account> {
  const member = await server.signUp();
  await server.db
    .insertInto("memberships")
    .values({ organization_id: owner.organizationId, user_id: member.userId, role: "admin" })
    .execute();
  const body = { organization_id: owner.organizationId };
  await server.call("/api/organization/switch", { token: member.token, body });
  // Sets the role afterwards, as when a member who has created a key becomes a viewer.
  await server.db
    .updateTable("memberships")
    .set({ role })
    .where("organization_id", "=", owner.organizationId)
    .where("user_id", "=", member.userId)
    .execute();
  return { ...member, organizationId: owner.organizationId };
}

/** Creates a key with any scopes, including those that the API does not give out. */
async function keyOf(maker: Account, scopes: readonly string[]): Promise<string> {
  const secret = createSecret("rc");
  await server.db
    .insertInto("api_keys")
    .values({
      id: server.platform.ids.next("key"),
      organization_id: maker.organizationId,
      created_by: maker.userId,
      name: "matrix",
      prefix: "rc_",
      last4: "xxxx",
      secret_hash: hashSecret(secret),
      scopes: [...scopes],
    })
    .execute();
  return secret;
}

function tokenOf(user: Account, scopes: readonly string[]): string {
  const secret = createSecret("oat");
  tokens.set(secret, {
    kind: "user",
    userId: user.userId,
    organizationId: user.organizationId,
    role: "admin",
    isAdmin: false,
    emailVerified: true,
    scopes,
    credential: { type: "oauth", id: "tok_1", delegation: { applicationId: "app_1", grantId: "grant_1" } },
  });
  return secret;
}

/** Returns the outcome that the contract demands, calculated without the code that enforces it. */
function expected(operation: WalkedOperation, caller: Caller): string {
  // Operations without security ignore credentials, including invalid ones.
  if (operation.security.length === 0) return "let in";
  // OAuth clients and pods send secrets of their own, which the handler checks.
  if (operation.security.some((alternative) => "client" in alternative || "pod" in alternative)) return "let in";
  if (caller.scheme === "refused") return "unauthorized";
  const signedIn = caller.scheme !== "none";
  if (!allowsAnonymous(operation)) {
    if (!signedIn) return "unauthorized";
    const needed = operation.security.find((alternative) => caller.scheme in alternative)?.[caller.scheme];
    if (needed === undefined) return "unauthorized";
    if (needed.includes("admin") && !caller.platformAdmin) return "not_found";
    if (needed.some((scope) => scope !== "admin" && !caller.scopes?.includes(scope))) return "key_scope_denied";
  }
  if (!signedIn || !countsFor(operation, caller)) return "let in";
  if (caller.impersonated && !operation.allowsImpersonation) return "impersonation_forbidden";
  if (operation.permission === null) return "let in";
  if (caller.unverified) return "email_not_verified";
  return PERMISSIONS[caller.role ?? ""]?.includes(operation.permission) ? "let in" : "organization_permission_denied";
}

/** Returns whether the caller's credential satisfies an alternative of the operation. */
function countsFor(operation: WalkedOperation, { scheme, scopes }: Caller): boolean {
  return operation.security.some(({ [scheme]: needed }) =>
    needed?.every((scope) => scope === "admin" || scopes?.includes(scope)),
  );
}

const REFUSALS: Record<string, number> = {
  unauthorized: 401,
  session_ended: 401,
  not_found: 404,
  key_scope_denied: 403,
  impersonation_forbidden: 403,
  email_not_verified: 403,
  organization_permission_denied: 403,
};

/** Returns the actual outcome: the code of the refusal, or that the call passed the access checks. */
async function happened(operation: WalkedOperation, { secret }: Caller): Promise<string> {
  const response = await inject(app, {
    method: operation.method as "GET",
    url: toPath(operation),
    headers: secret === undefined ? {} : { authorization: `Bearer ${secret}` },
  });
  const code = errorCode(response.json());
  if (code !== undefined && REFUSALS[code] === response.statusCode)
    return code === "session_ended" ? "unauthorized" : code;
  // After the access checks, the request is validated, and then the handler is called.
  return [REACHED, 400, 415].includes(response.statusCode) ? "let in" : `${response.statusCode} ${code}`;
}

describe("access to operations matches the contract:", () => {
  test.each(rowsOf(OPERATIONS))("access to %s matches the contract", async (_id, operation) => {
    const expectedAccess: Record<string, string> = {};
    const seen: Record<string, string> = {};
    for (const [name, caller] of callers) {
      expectedAccess[name] = expected(operation, caller);
      seen[name] = await happened(operation, caller);
    }
    expect(seen).toEqual(expectedAccess);
  });

  test("the access test covers all kinds of callers", () => {
    expect(callers.size).toBe(44);
  });
});

describe("an operation that is also open to visitors:", () => {
  const optional = OPERATIONS.filter(
    (operation) => allowsAnonymous(operation) && operation.security.some((schemes) => "session" in schemes),
  );

  test.each(rowsOf(optional))(
    "%s, which visitors may call, treats a credential without its scopes as no credential",
    async (_id, operation) => {
      const seen: Record<string, string | undefined> = {};
      const expectedAccess: Record<string, string> = {};
      for (const [name, caller] of callers) {
        if (caller.scheme !== "bearer" || caller.platformAdmin) continue;
        // Permissions of roles are tested above.
        if (operation.permission !== null && caller.role !== "admin") continue;
        const response = await inject(app, {
          method: operation.method as "GET",
          url: toPath(operation),
          query: requiredQueryOf(operation),
          headers: { authorization: `Bearer ${caller.secret}` },
          ...(operation.body && { payload: operation.body.example }),
        });
        expect(response.statusCode).toBe(REACHED);
        seen[name] = errorCode(response.json());
        expectedAccess[name] = countsFor(operation, caller) ? "user" : "anonymous";
      }
      expect(seen).toEqual(expectedAccess);
    },
  );
});

describe("the contract", () => {
  const named = (which: (operation: WalkedOperation) => boolean) =>
    OPERATIONS.filter(which).map(({ operationId }) => operationId);

  test("the contract reserves everything below /admin for platform admins, except the end of impersonation", () => {
    expect(named((operation) => operation.path.startsWith("/admin") && !isAdminOnly(operation))).toEqual([
      "admin.stopImpersonation",
    ]);
    expect(named((operation) => !operation.path.startsWith("/admin") && isAdminOnly(operation))).toEqual([]);
  });

  test("the contract opens only the listed operations to visitors", () => {
    expect(named(allowsAnonymous).toSorted()).toEqual(OPEN.toSorted());
  });

  test("the contract requires a permission for every change to an organization, except the listed ones", () => {
    const changes = (operation: WalkedOperation) =>
      operation.method !== "GET" &&
      operation.permission === null &&
      !allowsAnonymous(operation) &&
      !isAdminOnly(operation);
    expect(named(changes)).toEqual(PERSONAL);
  });

  test("the contract forbids changes during impersonation, except the listed ones", () => {
    const changes = (operation: WalkedOperation) =>
      operation.method !== "GET" &&
      operation.allowsImpersonation &&
      !allowsAnonymous(operation) &&
      !isAdminOnly(operation);
    expect(named(changes)).toEqual(OPEN_TO_IMPERSONATORS);
  });
});
