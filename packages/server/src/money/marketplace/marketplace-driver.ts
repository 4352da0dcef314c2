/** What is bought: the marketplace's id of it, which stands for a plan, and how many units. */
export type PurchasedItem = { offer: string; quantity: number };

/** What a customer bought, as the marketplace says now. */
export type Purchase = {
  /** Id of the purchase; one customer may have several. */
  reference: string;
  customerId: string;
  /** Empty where the marketplace does not say yet what was bought. */
  items: readonly PurchasedItem[];
  /** `unconfirmed` before it begins, and `ended` once it is over for good. */
  state: "unconfirmed" | "active" | "suspended" | "ended";
  /** The step at the marketplace that waits for this server, in the words of the driver; null where none does. */
  awaits: string | null;
  /** The id under which usage of the purchase is reported, in the words of the driver; null where it is not known yet. */
  usageId: string | null;
};

/** What was used of a purchase in an hour. Reports with the same id are the same report. */
export type UsageReport = {
  id: string;
  /** The purchase, and the id under which its usage is reported. */
  reference: string;
  usageId: string;
  offer: string;
  dimension: string;
  units: number;
  /** When the first and the last of it was used, within one hour. */
  startedAt: Date;
  endedAt: Date;
};

/**
 * What a marketplace says about a report: `accepted`, also when it had it before; `refused` for good; or that it may take it
 * `later`. `reason` is in words.
 */
export type UsageOutcome =
  | { status: "accepted" }
  | { status: "refused"; reason: string }
  | { status: "later"; reason: string };

/** The most reports that a driver is given at once, as many as AWS and Azure take. */
export const MAX_REPORTS = 25;

/** A notification whose sender was checked: which purchase changed, by its own id or by that of its customer. */
export type MarketplaceNotification = {
  id: string;
  type: string;
  reference: string | null;
  customerId: string | null;
};

/** A notification as it arrived. */
export type ReceivedNotification = { body: Readonly<Record<string, unknown>>; authorization: string | undefined };

/**
 * The interface to a cloud marketplace. Calls are idempotent. A call without a usable response throws
 * `marketplace.unavailable`.
 */
export type MarketplaceDriver = {
  /** Whether no money moves. */
  isTest: boolean;
  /**
   * Returns a token that is valid for longer than the one with which the marketplace sends a buyer, who may have to create an
   * account first; null when that one is invalid or expired. Null where the marketplace's own tokens are valid for hours.
   */
  exchangeToken: ((token: string) => Promise<string | null>) | null;
  /** Returns the purchase that a buyer's token stands for; null when the token is invalid or expired. */
  resolve(token: string): Promise<Purchase | null>;
  /** Returns a purchase; null when the marketplace has nothing that its customer may use, now or any more. */
  find(reference: string): Promise<Purchase | null>;
  /** Carries out the step that a purchase awaits: its start, or its change to the present items. */
  confirm(purchase: Purchase): Promise<void>;
  /** Rejects a purchase that has not begun; null where the marketplace has no call for it. */
  reject: ((reference: string, reason: string) => Promise<void>) | null;
  /**
   * Checks who sent a notification. Returns null for one that nothing follows from. Throws
   * `marketplace.notification_refused`.
   */
  readNotification(received: ReceivedNotification, now: Date): Promise<MarketplaceNotification | null>;
  /** Reports usage, at most `MAX_REPORTS`. Returns an outcome for each, in the same order. */
  meter(reports: readonly UsageReport[]): Promise<UsageOutcome[]>;
  /** Returns whether the marketplace takes a report no more at `now`, because the usage is too long ago. */
  isTooLate(report: Pick<UsageReport, "startedAt">, now: Date): boolean;
};
