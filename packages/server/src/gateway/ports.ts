import type { components } from "@feather/openapi/schema";
import type { Selectable } from "kysely";
import type { Plans, Prices } from "../platform/core/db/schema.generated.ts";
import type { AppError } from "../platform/core/errors/index.ts";

/** The properties of a model that the gateway uses. */
export type CallableModel = {
  /** The id that callers use. */
  id: string;
  /** The key of the model in backends, engines and usage. It differs from `id` for a private model. */
  key: string;
  classId: string;
  cost: number;
  parameterSize: number | null;
  /**
   * In tokens; null if it is unknown, in which case no limit is derived from it. For a call, it is the context with which
   * backends run the model, where that is smaller.
   */
  contextLength: number | null;
  /** The limit of an answer in tokens; null if only the context length limits it. */
  maxCompletionTokens: number | null;
  inputModalities: readonly string[];
  isGated: boolean;
  /** The plans that may call it; null for every plan. */
  planIds: readonly string[] | null;
  isDisabled: boolean;
  organizationId: string | null;
};

/** Finds the models that organizations may call. */
export type ModelLookup = {
  /** Throws `model_not_found`, `model_disabled` and similar errors. */
  find(id: string, organizationId: string): Promise<CallableModel>;
  /** Returns whether a model has this id for the organization, whether it may call it or not. */
  exists(id: string, organizationId: string): Promise<boolean>;
};

/** A name under which models are called, and the ids of these in the order in which they are tried. */
export type Alias = { readonly name: string; readonly models: readonly string[] };

/** In which order the backends of a model are tried, as the contract describes it. */
export type BackendOrder = components["schemas"]["RoutingOrder"];

/** The operator's rules of which models and backends answer. Never changed: a call goes on with those it began with. */
export type RoutingRules = {
  /** The aliases by name in lower case. */
  readonly aliases: ReadonlyMap<string, Alias>;
  readonly order: BackendOrder;
  /** What a call with an organization's own key costs on a metered plan, in percent of the model's price. */
  readonly ownKeyFeePercent: number;
  /** Whether metered calls are kept from backends that charge more than the price of the model. */
  readonly refusesBelowCost: boolean;
};

/** Returns the operator's rules; a promise of them only when they have to be read from the database. */
export type ReadRoutingRules = () => RoutingRules | Promise<RoutingRules>;

/** The plan of the caller's organization and its quantity. */
export type CallerPlan = {
  plan: Selectable<Plans>;
  quantity: number;
  /** Null on the free plan. Calls are refused while it is `paused`. */
  subscription?: { status: string } | null;
};

/** The price of a model, in USD as decimal strings. */
export type Price = Selectable<Prices>;

/** Finds the current price of a model; null if it has none. */
export type PriceLookup = {
  findPrice(model: Pick<CallableModel, "key" | "classId" | "parameterSize">): Promise<Price | null>;
};

/** Credits in nano-USD to reserve for a call. */
export type CreditReservation = {
  requestId: string;
  organizationId: string;
  userId: string | null;
  apiKeyId: string | null;
  amountNano: bigint;
};

/** Reserves credits for calls. */
export type CreditReservations = {
  /** Throws `insufficient_credits` or `budget_exceeded`. */
  reserve(reservation: CreditReservation): Promise<void>;
  /** Takes a reservation back, for a call that is not charged. */
  release(requestId: string): Promise<void>;
  /** Returns the error that `reserve` would throw now, or null. Reserves nothing. */
  findRefusal(reservation: CreditReservation): Promise<AppError | null>;
};
