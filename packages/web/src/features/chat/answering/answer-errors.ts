import { t } from "@lingui/core/macro";
import type { Answer, AnswerError } from "../conversation/types.ts";

/** An action offered after an error, in the order of the buttons. */
export type ErrorAction =
  | "again"
  | "wait"
  | "go-on"
  | "shorten"
  | "log-in"
  | "plans"
  | "credits"
  | "budgets"
  | "unlock"
  | "verify"
  | "other-model"
  | "status"
  | "usage";

/** How an error is explained to the user; `message` is the server's where no other is defined. */
export type ErrorExplanation = {
  title: string;
  message: string;
  advice: string;
  actions: readonly ErrorAction[];
  /** Set if the error is temporary: `told` shows when to retry, `by itself` retries automatically. */
  retry: "told" | "by itself" | null;
};
type ErrorTemplate = Omit<ErrorExplanation, "message" | "retry"> & {
  message?: (error: AnswerError) => string;
  retry?: ErrorExplanation["retry"];
};

const CONTINUE_ADVICE = t`What was said stays. Go on from there, or ask again.`;

const BROKEN_OFF_TEMPLATE: ErrorTemplate = {
  title: t`The answer broke off`,
  advice: CONTINUE_ADVICE,
  actions: ["go-on", "again"],
};

const TEMPLATES_BY_CODE: Record<string, ErrorTemplate> = {
  concurrency_limit_exceeded: {
    title: t`All units are in use`,
    message: ({ message, details: { used, limit, cost } }) =>
      typeof used === "number" && typeof limit === "number" && typeof cost === "number"
        ? t`${used} of ${limit} are busy and this model needs ${cost}.`
        : message,
    advice: t`Wait for your turn, or end another request first.`,
    actions: ["wait", "again", "usage"],
    retry: "told",
  },
  model_not_on_plan: {
    title: t`Not on your plan`,
    advice: t`A larger plan has this model. Or ask another one.`,
    actions: ["plans", "other-model"],
  },
  model_gated_needs_oauth: {
    title: t`Gated by its publisher`,
    message: () => "",
    advice: t`Accept the terms on the hub, then unlock the model on its page.`,
    actions: ["unlock", "again", "other-model"],
  },
  context_length_exceeded: {
    title: t`The conversation is too long for this model`,
    advice: t`Leave the oldest messages out of the request, or ask a model with a longer context. Nothing is deleted here.`,
    actions: ["shorten", "other-model"],
  },
  plan_context_exceeded: {
    title: t`The conversation is too long for your plan`,
    advice: t`Leave the oldest messages out of the request, or take a plan with a longer context. Nothing is deleted here.`,
    actions: ["shorten", "plans"],
  },
  insufficient_credits: {
    title: t`The credits are used up`,
    advice: t`Top up to go on. A smaller Max tokens needs less credit set aside.`,
    actions: ["credits", "again"],
  },
  budget_exceeded: {
    title: t`The spend limit is reached`,
    advice: t`Admins of the organization can raise its budgets.`,
    actions: ["budgets", "again"],
  },
  rate_limit_exceeded: { title: t`Too many requests`, advice: "", actions: ["again", "plans"], retry: "told" },
  model_loading: {
    title: t`The model is still being loaded`,
    message: ({ details: { loading_stage: stage, loading_reason: reason } }) => {
      if (typeof reason === "string") return reason;
      return typeof stage === "string" ? t`It is at ${stage.replaceAll("_", " ")}.` : "";
    },
    advice: t`The loading goes on.`,
    actions: ["again", "other-model"],
    retry: "by itself",
  },
  capacity_exhausted: {
    title: t`Nothing runs this model just now`,
    advice: t`Try again in a moment, or ask another model.`,
    actions: ["again", "other-model", "status"],
  },
  model_disabled: { title: t`This model is switched off`, advice: t`Ask another one.`, actions: ["other-model"] },
  model_not_found: { title: t`There is no such model`, advice: t`Choose another one.`, actions: ["other-model"] },
  unsupported_modality: {
    title: t`This model does not take images`,
    advice: t`Edit the message and take the images out, or ask a model that sees.`,
    actions: ["other-model"],
  },
  payload_too_large: {
    title: t`The request is too large`,
    advice: t`Images are sent again with every message. Leave the oldest out, or begin a new chat.`,
    actions: ["shorten"],
  },
  email_not_verified: {
    title: t`Your e-mail address is not verified`,
    advice: t`Open the link in the message we sent, then try again.`,
    actions: ["verify", "again"],
  },
  broken_off: BROKEN_OFF_TEMPLATE,
  "streams.not_found": BROKEN_OFF_TEMPLATE,
  "streams.events_gone": BROKEN_OFF_TEMPLATE,
  unreachable: {
    title: t`The server cannot be reached`,
    advice: t`Check the connection, then try again. What you wrote is kept.`,
    actions: ["again"],
  },
  shutting_down: {
    title: t`The server is being restarted`,
    advice: t`Try again in a moment.`,
    actions: ["again", "go-on"],
    retry: "told",
  },
};

const SESSION_ENDED_TEMPLATE: ErrorTemplate = {
  title: t`Your session has ended`,
  message: () => "",
  advice: t`Log in and ask again. What you wrote is kept.`,
  actions: ["log-in", "again"],
};
const BACKEND_FAILED_TEMPLATE: ErrorTemplate = {
  title: t`The backend failed`,
  advice: CONTINUE_ADVICE,
  actions: ["go-on", "again", "status"],
};
const REFUSED_TEMPLATE: ErrorTemplate = { title: t`The request was refused`, advice: "", actions: ["again"] };

/** Returns title, message, advice and actions for an answer's error. Continuing is offered only if there is text. */
export function explainError(error: AnswerError, answer: Pick<Answer, "text">): ErrorExplanation {
  const {
    title,
    message,
    advice,
    actions,
    retry = null,
  } = TEMPLATES_BY_CODE[error.code] ?? templateOfStatus(error.status);
  const hasText = answer.text !== "";
  return {
    ...withoutRepetition(title, message?.(error) ?? error.message),
    advice: advice === CONTINUE_ADVICE && !hasText ? t`Ask again.` : advice,
    actions: actions.filter((action) => action !== "go-on" || hasText),
    retry,
  };
}

/** Returns title and message, where the message begins with the title in other words: its first sentence is the title then. */
function withoutRepetition(title: string, message: string): { title: string; message: string } {
  if (!message.toLowerCase().startsWith(title.toLowerCase())) return { title, message };
  const [first = "", ...rest] = message.split(/(?<=\.)\s+/);
  return { title: first.replace(/\.$/, ""), message: rest.join(" ") };
}

function templateOfStatus(status: number): ErrorTemplate {
  if (status === 401) return SESSION_ENDED_TEMPLATE;
  if (status === 403) return { ...REFUSED_TEMPLATE, actions: [] }; // a retry cannot change permissions
  if (status === 429) return { ...REFUSED_TEMPLATE, title: t`Too many requests`, retry: "told" };
  return status >= 500 ? BACKEND_FAILED_TEMPLATE : REFUSED_TEMPLATE;
}
