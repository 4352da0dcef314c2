import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Logo } from "#/components/ui/bits.tsx";
import { CopyButton } from "#/components/ui/code.tsx";
import { count } from "#/lib/format.ts";
import { AnswerFigures } from "./answer-figures.tsx";
import { AnswerText } from "./answer-text.tsx";
import { Branches } from "./branches.tsx";
import { FaultNotice, type Remedies } from "./fault-notice.tsx";
import { speedOf } from "./figures.ts";
import type { LiveAnswer, LiveAnswers } from "./live-answers.ts";
import { ModelWait } from "./model-wait.tsx";
import { estimateTokens } from "./request.ts";
import { ToolCalls } from "./tool-calls.tsx";
import { type Answer, nameOf, ownerOf, type ToolResult } from "./types.ts";
import { useLiveAnswer } from "./use-chat-host.ts";

type Props = {
  answer: Answer;
  versions: readonly string[];
  live: LiveAnswers;
  last: boolean;
  remedies: Remedies;
  choose(id: string): void;
  give?: (results: ToolResult[]) => void;
};

/** One answer: its text, its state, errors, statistics and actions. */
export function AnswerView({ answer, versions, live, last, remedies, choose, give }: Props) {
  const growing = useLiveAnswer(live, answer.id);
  const { text, reasoning, toolCalls } = growing ?? answer;
  const streaming = growing !== null;
  const elsewhere = !streaming && answer.state === "streaming";
  return (
    <article className="answer" aria-busy={streaming} aria-label={t`Answer of ${nameOf(answer.model)}`}>
      <p className="who">
        <span className="mark">
          <Logo size={18} />
        </span>
        {nameOf(answer.model)} <span className="small dim">{ownerOf(answer.model)}</span>
      </p>
      {reasoning ? <Reasoning text={reasoning} thinking={streaming && text === ""} /> : null}
      {text ? <AnswerText text={text} streaming={streaming} /> : null}
      <ToolCalls calls={toolCalls} {...(give && last && !streaming && answer.state === "done" && { give })} />
      {streaming && !text && !reasoning && toolCalls.length === 0 ? <ModelWait model={answer.model} /> : null}
      {elsewhere ? <p className="dim mt-2">{t`It is being answered in another tab …`}</p> : null}
      {!streaming && answer.fault ? (
        <FaultNotice answer={answer} fault={answer.fault} remedies={remedies} last={last} />
      ) : null}
      {streaming ? (
        <Progress growing={growing} />
      ) : elsewhere ? null : (
        <AnswerEnd answer={answer} versions={versions} last={last} remedies={remedies} choose={choose} />
      )}
    </article>
  );
}

function Reasoning({ text, thinking }: { text: string; thinking: boolean }) {
  return (
    <details className="reasoning">
      <summary>{thinking ? t`Thinking …` : t`What it thought first`}</summary>
      <div className="as-written" dir="auto">
        {text}
      </div>
    </details>
  );
}

function Progress({ growing }: { growing: LiveAnswer }) {
  const tokens = estimateTokens(growing.text) + estimateTokens(growing.reasoning);
  const speed = speedOf(tokens, growing);
  return (
    <div className="meta num">
      {tokens > 0 ? (
        <span>
          <Trans>~{count(tokens)} tokens so far</Trans>
        </span>
      ) : null}
      {speed === null ? null : (
        <span>
          <Trans>~{count(speed)} tokens/s</Trans>
        </span>
      )}
    </div>
  );
}

type EndProps = Pick<Props, "answer" | "versions" | "last" | "remedies" | "choose">;

function AnswerEnd({ answer, versions, last, remedies, choose }: EndProps) {
  const { text, state, finish, fault } = answer;
  const cut = finish === "length";
  return (
    <div className="meta num">
      {state === "stopped" ? <span>{t`stopped`}</span> : null}
      {cut ? <span>{t`cut at Max tokens`}</span> : null}
      {finish === "content_filter" ? <span>{t`ended by a filter`}</span> : null}
      {state === "done" && text === "" && answer.toolCalls.length === 0 ? <span>{t`said nothing`}</span> : null}
      <AnswerFigures answer={answer} />
      <span className="end">
        {text ? <CopyButton text={text} /> : null}
        {last && text && !fault && (cut || state === "stopped") ? (
          <button type="button" className="plain" onClick={() => remedies.goOn(answer)}>
            {t`Go on`}
          </button>
        ) : null}
        {fault ? null : (
          <button type="button" className="plain" onClick={() => remedies.again(answer)}>
            {t`Again`}
          </button>
        )}
        <Branches of={versions} shown={answer.id} what={t`answer`} choose={choose} />
      </span>
    </div>
  );
}
