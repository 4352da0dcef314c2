import type { WebhookEventType } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** The types of events, in the order of the form. */
export const EVENT_TYPES = [
  "deployment.ready",
  "deployment.failed",
  "model.available",
  "credits.low",
  "budget.warning",
  "budget.reached",
  "plan.changed",
  "api_key.created",
  "api_key.deleted",
  "api_key.limit_warning",
  "api_key.limit_reached",
  "member.added",
  "member.removed",
] as const satisfies readonly WebhookEventType[];

const LABELS: Readonly<Record<WebhookEventType, string>> = {
  "deployment.ready": t`A deployment runs`,
  "deployment.failed": t`A deployment could not be started or updated`,
  "model.available": t`A model that a member asked for can be called`,
  "credits.low": t`The credits fell below $1`,
  "budget.warning": t`A budget reached its warning threshold`,
  "budget.reached": t`A budget is used up`,
  "plan.changed": t`Another plan applies`,
  "api_key.created": t`A member made an API key`,
  "api_key.deleted": t`A member deleted an API key`,
  "api_key.limit_warning": t`An API key spent 80 % of its limit`,
  "api_key.limit_reached": t`An API key reached its spend limit`,
  "member.added": t`Somebody joined`,
  "member.removed": t`Somebody left or was removed`,
};

/** Says when an event of this type is sent. */
export const getEventLabel = (type: WebhookEventType): string => LABELS[type];
