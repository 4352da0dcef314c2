/** What a permission of the key is needed for, and whether the key has it. */
export type Permission = {
  /** As the payment service calls it. */
  name: string;
  access: "read" | "write";
  state: "granted" | "missing" | "unknown";
};

/** Whether the payment service tells this server of events. */
export type WebhookState = {
  state: "registered" | "incomplete" | "disabled" | "missing" | "unknown";
  /** Where the events must go. */
  url: string;
  missingEvents: string[];
};

/** How this server is connected to the service that takes the money. */
export type PaymentConnection = {
  /** The name of the payment driver. */
  driver: string;
  isTest: boolean;
  account: { id: string; name: string | null } | null;
  webhook: WebhookState | null;
  permissions: Permission[];
  /** What is wrong and what to do about it, one sentence or two each. */
  problems: string[];
};
