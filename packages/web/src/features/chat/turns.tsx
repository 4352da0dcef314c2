import { Logo } from "#/components/ui/bits.tsx";
import { CopyButton } from "#/components/ui/code.tsx";
import { Markdown } from "#/components/ui/markdown.tsx";
import type { AnswerFigures, Turn } from "./conversation.ts";

/** One turn of the conversation. Answers are prose; what the person said stays as they wrote it. */
export function TurnView({ turn, last, again }: { turn: Turn; last: boolean; again(): void }) {
  if (turn.role === "user")
    return (
      <div className="you">
        <div dir="auto">{turn.text}</div>
      </div>
    );
  const name = turn.model.slice(turn.model.indexOf("/") + 1);
  return (
    <article className="answer" aria-busy={turn.state === "streaming"}>
      <p className="who">
        <span style={{ color: "var(--accent)" }}>
          <Logo size={18} />
        </span>
        {name} <span className="small dim">{turn.model.slice(0, turn.model.indexOf("/"))}</span>
      </p>
      {turn.text === "" && turn.state === "streaming" ? (
        <p className="dim">Waiting for the first token …</p>
      ) : (
        <Markdown text={turn.text} streaming={turn.state === "streaming"} />
      )}
      {turn.state === "failed" ? (
        <p className="notice mt-3" role="alert">
          {turn.error}
        </p>
      ) : null}
      {turn.state === "streaming" ? null : (
        <div className="meta num">
          {turn.state === "stopped" ? <span>stopped</span> : null}
          {turn.figures ? <Figures {...turn.figures} /> : null}
          <span className="end">
            {turn.text ? <CopyButton text={turn.text} /> : null}
            {last ? (
              <button type="button" className="plain" onClick={again}>
                Again
              </button>
            ) : null}
          </span>
        </div>
      )}
    </article>
  );
}

function Figures({ tokens, firstMs, totalMs }: AnswerFigures) {
  const streaming = totalMs - (firstMs ?? 0);
  return (
    <>
      {tokens === null ? null : <span>{tokens} tokens</span>}
      {tokens !== null && streaming > 0 ? <span>{Math.round((tokens / streaming) * 1000)} tokens/s</span> : null}
      {firstMs === null ? null : <span>{Math.round(firstMs)} ms to first</span>}
    </>
  );
}
