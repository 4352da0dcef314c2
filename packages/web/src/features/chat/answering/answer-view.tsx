import type { SentPassage } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Suspense } from "react";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { Logo } from "#/components/ui/labels/logo.tsx";
import { formatCount, formatRoughDuration } from "#/lib/format.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import chatStyles from "../chat.module.css";
import { type Answer, modelName, modelOwner, type ToolResult } from "../conversation/types.ts";
import { ReadAloudButton } from "../voice/read-aloud-button.tsx";
import { type AnswerActions, AnswerErrorNotice } from "./answer-error-notice.tsx";
import { liveTokensPerSecond } from "./answer-stats.ts";
import { AnswerStatsView } from "./answer-stats-view.tsx";
import { AnswerText } from "./answer-text.tsx";
import styles from "./answer-view.module.css";
import { BranchSwitcher } from "./branches.tsx";
import type { LiveAnswer, LiveAnswers } from "./live-answers.ts";
import { ModelLoadingNotice } from "./model-loading-notice.tsx";
import { estimateTokens } from "./request.ts";
import { ToolApproval } from "./tool-calls/tool-approval.tsx";
import { ToolCalls } from "./tool-calls/tool-calls.tsx";
import type { ToolRounds } from "./tool-calls/tool-rounds.ts";
import { useLiveAnswer } from "./use-chat-session.ts";

const LazyCitedAnswer = lazyComponent(async () => (await import("./cited/cited-answer.tsx")).CitedAnswer);

type Props = {
  answer: Answer;
  /** What the numbers in brackets of the answer stand for. */
  passages: readonly SentPassage[];
  versions: readonly string[];
  live: LiveAnswers;
  isLast: boolean;
  remedies: AnswerActions;
  selectBranch(id: string): void;
  sendToolResults?: (results: ToolResult[]) => void;
  /** Makes calls to tools of servers; left out where several models are asked. */
  toolRounds?: ToolRounds;
};

/** One answer: its text, its state, errors, statistics and actions. */
export function AnswerView({
  answer,
  passages,
  versions,
  live,
  isLast,
  remedies,
  selectBranch,
  sendToolResults,
  toolRounds,
}: Props) {
  const liveAnswer = useLiveAnswer(live, answer.id);
  const { text, reasoning, toolCalls } = liveAnswer ?? answer;
  const streaming = liveAnswer !== null;
  const hasOpenCalls = isLast && !streaming && answer.state === "done" && answer.toolCalls.length > 0;
  const runs = hasOpenCalls && toolRounds?.canRun(answer) ? toolRounds : null;
  const isInOtherTab = !streaming && answer.state === "streaming";
  return (
    <article className={chatStyles.answer} aria-busy={streaming} aria-label={t`Answer of ${modelName(answer.model)}`}>
      <p className={chatStyles.who}>
        <span className={chatStyles.mark}>
          <Logo size={18} />
        </span>
        {modelName(answer.model)} <span className="small faint">{modelOwner(answer.model)}</span>
      </p>
      {reasoning ? (
        <Reasoning
          text={reasoning}
          thinking={streaming && text === ""}
          thinkingMs={streaming ? null : (answer.figures?.thinkingMs ?? null)}
        />
      ) : null}
      {text ? <Written text={text} streaming={streaming} passages={passages} /> : null}
      <ToolCalls calls={toolCalls} {...(sendToolResults && hasOpenCalls && runs === null && { sendToolResults })} />
      {runs ? <ToolApproval answer={answer} rounds={runs} /> : null}
      {streaming && !text && !reasoning && toolCalls.length === 0 ? <ModelLoadingNotice model={answer.model} /> : null}
      {isInOtherTab ? <p className="faint mt-2">{t`It is being answered in another tab …`}</p> : null}
      {!streaming && answer.error ? (
        <AnswerErrorNotice answer={answer} error={answer.error} actions={remedies} isLast={isLast} />
      ) : null}
      {streaming ? (
        <LiveStats liveAnswer={liveAnswer} />
      ) : isInOtherTab ? null : (
        <AnswerFooter
          answer={answer}
          versions={versions}
          isLast={isLast}
          remedies={remedies}
          selectBranch={selectBranch}
        />
      )}
    </article>
  );
}

type WrittenProps = { text: string; streaming: boolean } & Pick<Props, "passages">;

function Written({ text, streaming, passages }: WrittenProps) {
  const plain = <AnswerText text={text} streaming={streaming} hasPreviews />;
  if (passages.length === 0) return plain;
  return (
    <Suspense fallback={plain}>
      <LazyCitedAnswer text={text} streaming={streaming} passages={passages} />
    </Suspense>
  );
}

type ReasoningProps = { text: string; thinking: boolean; thinkingMs: number | null };

function Reasoning({ text, thinking, thinkingMs }: ReasoningProps) {
  const title = thinkingMs === null ? t`What it thought first` : t`Thought for ${formatRoughDuration(thinkingMs)}`;
  return (
    <details className={styles.reasoning}>
      <summary>{thinking ? t`Thinking …` : title}</summary>
      <div className={chatStyles.asWritten} dir="auto">
        {text}
      </div>
    </details>
  );
}

function LiveStats({ liveAnswer }: { liveAnswer: LiveAnswer }) {
  const tokenCount = estimateTokens(liveAnswer.text) + estimateTokens(liveAnswer.reasoning);
  const speed = liveTokensPerSecond(tokenCount, liveAnswer);
  return (
    <div className={`${chatStyles.meta} num`}>
      {tokenCount > 0 ? (
        <span>
          <Trans>~{formatCount(tokenCount)} tokens so far</Trans>
        </span>
      ) : null}
      {speed === null ? null : (
        <span>
          <Trans>~{formatCount(speed)} tokens/s</Trans>
        </span>
      )}
    </div>
  );
}

type AnswerFooterProps = Pick<Props, "answer" | "versions" | "isLast" | "remedies" | "selectBranch">;

function AnswerFooter({ answer, versions, isLast, remedies, selectBranch }: AnswerFooterProps) {
  const { text, state, finish, error } = answer;
  const isCutOff = finish === "length";
  return (
    <div className={`${chatStyles.meta} num`}>
      {state === "stopped" ? <span>{t`stopped`}</span> : null}
      {isCutOff ? <span>{t`cut at Max tokens`}</span> : null}
      {finish === "content_filter" ? <span>{t`ended by a filter`}</span> : null}
      {state === "done" && text === "" && answer.toolCalls.length === 0 ? <span>{t`said nothing`}</span> : null}
      <AnswerStatsView answer={answer} />
      <span className="end">
        {text ? <CopyButton text={text} /> : null}
        {text ? <ReadAloudButton text={text} /> : null}
        {isLast && text && !error && (isCutOff || state === "stopped") ? (
          <button type="button" className="plain" onClick={() => remedies.continueAnswer(answer)}>
            {t`Go on`}
          </button>
        ) : null}
        {error ? null : (
          <>
            <button type="button" className="plain" onClick={() => remedies.regenerate(answer)}>
              {t`Again`}
            </button>
            <button type="button" className="plain" onClick={() => remedies.chooseOtherModel(answer)}>
              {t`Another model`}
            </button>
          </>
        )}
        <BranchSwitcher versions={versions} currentId={answer.id} entryName={t`answer`} selectBranch={selectBranch} />
      </span>
    </div>
  );
}
