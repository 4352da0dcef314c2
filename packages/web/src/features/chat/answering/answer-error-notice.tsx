import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import type { Answer, AnswerError } from "../conversation/types.ts";
import styles from "./answer-error-notice.module.css";
import { type ErrorAction, explainError } from "./answer-errors.ts";
import { RetryCountdown } from "./retry-countdown.tsx";

/** Callbacks and context for the actions offered after an error. */
export type AnswerActions = {
  regenerate(answer: Answer): void;
  retryInQueue(answer: Answer): void;
  continueAnswer(answer: Answer): void;
  regenerateWithNewest(answer: Answer): void;
  chooseOtherModel(answer: Answer): void;
  /** Where to return after logging in. */
  returnTo: string;
  /** Whether the conversation survives leaving the page. */
  isHistoryStored: boolean;
};

type AnswerErrorNoticeProps = { answer: Answer; error: AnswerError; actions: AnswerActions; isLast: boolean };

/** Explains why an answer failed and offers actions. */
export function AnswerErrorNotice({ answer, error, actions, isLast }: AnswerErrorNoticeProps) {
  const explanation = explainError(error, answer);
  return (
    <div className={`notice ${styles.error}`}>
      <div role="alert">
        <p>
          <b>{explanation.title}.</b> {explanation.message} {explanation.advice}
        </p>
        {error.requestId ? <p className="tiny faint mono mt-2">{error.requestId}</p> : null}
        <div className="row wrapping mt-3">
          {explanation.actions.map((action) => (
            <ErrorActionButton key={action} action={action} answer={answer} actions={actions} />
          ))}
        </div>
      </div>
      {explanation.retry && error.retryAt ? (
        <RetryCountdown
          key={error.retryAt}
          retryAt={error.retryAt}
          {...(explanation.retry === "by itself" && isLast && { retry: () => actions.regenerate(answer) })}
        />
      ) : null}
    </div>
  );
}

type ErrorActionButtonProps = { action: ErrorAction; answer: Answer; actions: AnswerActions };

function ErrorActionButton({ action, answer, actions }: ErrorActionButtonProps): ReactNode {
  const { returnTo, isHistoryStored } = actions;
  const renderButton = (buttonText: string, run: (answer: Answer) => void) => (
    <button type="button" className="btn" onClick={() => run(answer)}>
      {buttonText}
    </button>
  );
  const renderLink = (buttonText: string, to: string) => (
    <Link className="btn" to={to} {...(!isHistoryStored && { target: "_blank" })}>
      {buttonText}
    </Link>
  );
  switch (action) {
    case "again":
      return renderButton(t`Try again`, actions.regenerate);
    case "wait":
      return renderButton(t`Wait for free units`, actions.retryInQueue);
    case "go-on":
      return renderButton(t`Go on`, actions.continueAnswer);
    case "shorten":
      return renderButton(t`Send without the oldest`, actions.regenerateWithNewest);
    case "other-model":
      return renderButton(t`Choose another model`, actions.chooseOtherModel);
    case "log-in":
      return renderLink(t`Log in`, paths.login(returnTo));
    case "plans":
      return renderLink(t`See plans`, paths.pricing);
    case "credits":
      return renderLink(t`Top up`, paths.account);
    case "budgets":
      return renderLink(t`See the budgets`, paths.organization);
    case "unlock":
      return renderLink(t`Open its page`, paths.model(answer.model));
    case "verify":
      return renderLink(t`Verify the address`, "/account/verify-email");
    case "status":
      return renderLink(t`See the status`, paths.status);
    case "usage":
      return renderLink(t`See what runs`, paths.usage);
  }
}
