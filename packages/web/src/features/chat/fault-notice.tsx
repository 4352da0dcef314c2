import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { ComesBack } from "./comes-back.tsx";
import { type Remedy, tellFault } from "./faults.ts";
import type { Answer, Fault } from "./types.ts";

/** Callbacks and context for the actions offered after an error. */
export type Remedies = {
  again(answer: Answer): void;
  wait(answer: Answer): void;
  goOn(answer: Answer): void;
  shorten(answer: Answer): void;
  otherModel(answer: Answer): void;
  /** Where to return after logging in. */
  here: string;
  /** Whether the conversation survives leaving the page. */
  kept: boolean;
};

type NoticeProps = { answer: Answer; fault: Fault; remedies: Remedies; last: boolean };

/** Explains why an answer failed and offers actions. */
export function FaultNotice({ answer, fault, remedies, last }: NoticeProps) {
  const told = tellFault(fault, answer);
  return (
    <div className="notice fault-told">
      <div role="alert">
        <p>
          <b>{told.title}.</b> {told.message} {told.advice}
        </p>
        {fault.requestId ? <p className="tiny dim mono mt-2">{fault.requestId}</p> : null}
        <div className="row wraps mt-3">
          {told.remedies.map((remedy) => (
            <RemedyButton key={remedy} remedy={remedy} answer={answer} remedies={remedies} />
          ))}
        </div>
      </div>
      {told.comesBack && fault.retryAt ? (
        <ComesBack
          key={fault.retryAt}
          at={fault.retryAt}
          {...(told.comesBack === "by itself" && last && { retry: () => remedies.again(answer) })}
        />
      ) : null}
    </div>
  );
}

type ButtonProps = { remedy: Remedy; answer: Answer; remedies: Remedies };

function RemedyButton({ remedy, answer, remedies }: ButtonProps): ReactNode {
  const { here, kept } = remedies;
  const press = (label: string, act: (answer: Answer) => void) => (
    <button type="button" className="btn" onClick={() => act(answer)}>
      {label}
    </button>
  );
  const go = (label: string, to: string) => (
    <Link className="btn" to={to} {...(!kept && { target: "_blank" })}>
      {label}
    </Link>
  );
  switch (remedy) {
    case "again":
      return press(t`Try again`, remedies.again);
    case "wait":
      return press(t`Wait for free units`, remedies.wait);
    case "go-on":
      return press(t`Go on`, remedies.goOn);
    case "shorten":
      return press(t`Send without the oldest`, remedies.shorten);
    case "other-model":
      return press(t`Choose another model`, remedies.otherModel);
    case "log-in":
      return go(t`Log in`, paths.login(here));
    case "plans":
      return go(t`See plans`, paths.pricing);
    case "credits":
      return go(t`Top up`, paths.account);
    case "unlock":
      return go(t`Open its page`, paths.model(answer.model));
    case "verify":
      return go(t`Verify the address`, "/account/verify-email");
    case "status":
      return go(t`See the status`, paths.status);
    case "usage":
      return go(t`See what runs`, paths.usage);
  }
}
