import type { RecordedRequest } from "../../http-server.ts";

/** A customer of the seller. */
export type Account = {
  name: string;
  state: "ACCOUNT_ACTIVE";
  approvals: { name: "signup"; state: "PENDING" | "APPROVED" | "REJECTED" }[];
};
/** A purchase. */
export type Entitlement = {
  name: string;
  account: string;
  productExternalName: string;
  plan: string;
  newPendingPlan?: string;
  state:
    | "ENTITLEMENT_ACTIVATION_REQUESTED"
    | "ENTITLEMENT_ACTIVE"
    | "ENTITLEMENT_PENDING_CANCELLATION"
    | "ENTITLEMENT_PENDING_PLAN_CHANGE"
    | "ENTITLEMENT_PENDING_PLAN_CHANGE_APPROVAL"
    | "ENTITLEMENT_SUSPENDED"
    | "ENTITLEMENT_CANCELLED";
  createTime: string;
  usageReportingId: string;
  /** Why it was rejected. */
  reason?: string;
};
/** What the stand-in keeps, by id. */
export type Store = { accounts: Map<string, Account>; entitlements: Map<string, Entitlement> };
type Reply = { status: number; body: object };

/** Fewer than Google returns at a time, so that a client has to ask for more. */
const PAGE_SIZE = 1;
const PATH = /^\/v1\/providers\/([^/]+)\/(accounts|entitlements)(?:\/([^/:]+))?(?::(\w+))?$/;
const OK: Reply = { status: 200, body: {} };
const NOT_FOUND: Reply = { status: 404, body: { error: { code: 404, status: "NOT_FOUND" } } };
const PRECONDITION: Reply = { status: 400, body: { error: { code: 400, status: "FAILED_PRECONDITION" } } };

/** Carries out a request of the Procurement API. */
export function act(request: RecordedRequest, providerId: string, store: Store): Reply {
  const { pathname, searchParams } = new URL(request.url, "http://gcp.test");
  const [, provider, kind, id, verb] = PATH.exec(pathname) ?? [];
  if (provider !== providerId) return NOT_FOUND;
  const input = request.body === "" ? {} : (JSON.parse(request.body) as Record<string, string>);
  if (kind === "accounts") return actOnAccount(store.accounts.get(id ?? ""), verb, input);
  if (id === undefined) return list(store, providerId, searchParams);
  const entitlement = store.entitlements.get(id);
  if (!entitlement) return NOT_FOUND;
  return verb === undefined
    ? { status: 200, body: entitlement }
    : actOnEntitlement(entitlement, store.accounts, verb, input);
}

function actOnAccount(account: Account | undefined, verb: string | undefined, input: Record<string, string>): Reply {
  if (!account) return NOT_FOUND;
  if (verb === undefined) return { status: 200, body: account };
  const approval = account.approvals.find(({ name }) => name === input.approvalName);
  if (verb !== "approve" || approval?.state !== "PENDING") return PRECONDITION;
  approval.state = "APPROVED";
  return OK;
}

function list({ entitlements }: Store, providerId: string, query: URLSearchParams): Reply {
  const account = /^account=(\S+)$/.exec(query.get("filter") ?? "")?.[1];
  const found = [...entitlements.values()].filter(
    (entitlement) => entitlement.account === `providers/${providerId}/accounts/${account}`,
  );
  const start = Number(query.get("pageToken") ?? 0);
  const end = start + PAGE_SIZE;
  return {
    status: 200,
    body: { entitlements: found.slice(start, end), ...(end < found.length && { nextPageToken: String(end) }) },
  };
}

function actOnEntitlement(
  entitlement: Entitlement,
  accounts: Map<string, Account>,
  verb: string,
  input: Record<string, string>,
): Reply {
  const { state, account, newPendingPlan } = entitlement;
  if (verb === "approvePlanChange") {
    if (state !== "ENTITLEMENT_PENDING_PLAN_CHANGE_APPROVAL" || input.pendingPlanName !== newPendingPlan)
      return PRECONDITION;
    Object.assign(entitlement, { plan: newPendingPlan, state: "ENTITLEMENT_ACTIVE" });
    delete entitlement.newPendingPlan;
    return OK;
  }
  if (state !== "ENTITLEMENT_ACTIVATION_REQUESTED") return PRECONDITION;
  if (verb === "reject") {
    Object.assign(entitlement, { state: "ENTITLEMENT_CANCELLED", reason: input.reason });
    return OK;
  }
  const isApproved = accounts.get(account.slice(account.lastIndexOf("/") + 1))?.approvals[0]?.state === "APPROVED";
  if (verb !== "approve" || !isApproved) return PRECONDITION;
  entitlement.state = "ENTITLEMENT_ACTIVE";
  return OK;
}
