import { t } from "@lingui/core/macro";
import type { Answer, Fault } from "./types.ts";

/** An action offered after an error, in the order of the buttons. */
export type Remedy =
  | "again"
  | "wait"
  | "go-on"
  | "shorten"
  | "log-in"
  | "plans"
  | "credits"
  | "unlock"
  | "verify"
  | "other-model"
  | "status"
  | "usage";

/** How an error is explained to the user; `message` is the server's where no other is defined. */
export type Told = {
  title: string;
  message: string;
  advice: string;
  remedies: readonly Remedy[];
  /** Whether the error is temporary: "told" shows when to retry, "by itself" retries automatically. */
  comesBack: "told" | "by itself" | null;
};
type Kind = Omit<Told, "message" | "comesBack"> & { message?: (fault: Fault) => string; comesBack?: Told["comesBack"] };

const GO_ON = t`What was said stays. Go on from there, or ask again.`;

const CODES: Record<string, Kind> = {
  concurrency_limit_exceeded: {
    title: t`All units are in use`,
    message: ({ message, details: { used, limit, cost } }) =>
      typeof used === "number" && typeof limit === "number" && typeof cost === "number"
        ? t`${used} of ${limit} are busy and this model needs ${cost}.`
        : message,
    advice: t`Wait for your turn, or end another request first.`,
    remedies: ["wait", "again", "usage"],
    comesBack: "told",
  },
  model_not_on_plan: {
    title: t`Not on your plan`,
    advice: t`A larger plan has this model. Or ask another one.`,
    remedies: ["plans", "other-model"],
  },
  model_gated_needs_oauth: {
    title: t`Gated by its publisher`,
    message: () => "",
    advice: t`Accept the terms on the hub, then unlock the model on its page.`,
    remedies: ["unlock", "again", "other-model"],
  },
  context_length_exceeded: {
    title: t`The conversation is too long for this model`,
    advice: t`Leave the oldest messages out of the request, or ask a model with a longer context. Nothing is deleted here.`,
    remedies: ["shorten", "other-model"],
  },
  plan_context_exceeded: {
    title: t`The conversation is too long for your plan`,
    advice: t`Leave the oldest messages out of the request, or take a plan with a longer context. Nothing is deleted here.`,
    remedies: ["shorten", "plans"],
  },
  insufficient_credits: {
    title: t`The credits are used up`,
    advice: t`Top up to go on. A smaller Max tokens needs less credit set aside.`,
    remedies: ["credits", "again"],
  },
  budget_exceeded: { title: t`The spend limit is reached`, advice: "", remedies: ["credits", "again"] },
  rate_limit_exceeded: { title: t`Too many requests`, advice: "", remedies: ["again", "plans"], comesBack: "told" },
  model_loading: {
    title: t`The model is still being loaded`,
    message: ({ details: { loading_stage: stage } }) =>
      typeof stage === "string" ? t`It is at ${stage.replaceAll("_", " ")}.` : "",
    advice: t`The loading goes on.`,
    remedies: ["again", "other-model"],
    comesBack: "by itself",
  },
  capacity_exhausted: {
    title: t`Nothing runs this model just now`,
    advice: t`Try again in a moment, or ask another model.`,
    remedies: ["again", "other-model", "status"],
  },
  model_disabled: { title: t`This model is switched off`, advice: t`Ask another one.`, remedies: ["other-model"] },
  model_not_found: { title: t`There is no such model`, advice: t`Choose another one.`, remedies: ["other-model"] },
  unsupported_modality: {
    title: t`This model does not take images`,
    advice: t`Edit the message and take the images out, or ask a model that sees.`,
    remedies: ["other-model"],
  },
  payload_too_large: {
    title: t`The request is too large`,
    advice: t`Images are sent again with every message. Leave the oldest out, or begin a new chat.`,
    remedies: ["shorten"],
  },
  email_not_verified: {
    title: t`Your e-mail address is not verified`,
    advice: t`Open the link in the message we sent, then try again.`,
    remedies: ["verify", "again"],
  },
  broken_off: {
    title: t`The answer broke off`,
    advice: GO_ON,
    remedies: ["go-on", "again"],
  },
  unreachable: {
    title: t`The server cannot be reached`,
    advice: t`Check the connection, then try again. What you wrote is kept.`,
    remedies: ["again"],
  },
  shutting_down: {
    title: t`The server is being restarted`,
    advice: t`Try again in a moment.`,
    remedies: ["again", "go-on"],
    comesBack: "told",
  },
};

const SESSION_ENDED: Kind = {
  title: t`Your session has ended`,
  message: () => "",
  advice: t`Log in and ask again. What you wrote is kept.`,
  remedies: ["log-in", "again"],
};
const BROKEN: Kind = {
  title: t`The backend failed`,
  advice: GO_ON,
  remedies: ["go-on", "again", "status"],
};
const REFUSED: Kind = { title: t`The request was refused`, advice: "", remedies: ["again"] };

/** Returns title, message, advice and actions for an answer's error. Continuing is offered only if there is text. */
export function tellFault(fault: Fault, answer: Pick<Answer, "text">): Told {
  const { title, message, advice, remedies, comesBack = null } = CODES[fault.code] ?? byStatus(fault.status);
  const begun = answer.text !== "";
  return {
    title,
    message: message?.(fault) ?? fault.message,
    advice: advice === GO_ON && !begun ? t`Ask again.` : advice,
    remedies: remedies.filter((remedy) => remedy !== "go-on" || begun),
    comesBack,
  };
}

function byStatus(status: number): Kind {
  if (status === 401) return SESSION_ENDED;
  if (status === 403) return { ...REFUSED, remedies: [] }; // a retry cannot change permissions
  if (status === 429) return { ...REFUSED, title: t`Too many requests`, comesBack: "told" };
  return status >= 500 ? BROKEN : REFUSED;
}
