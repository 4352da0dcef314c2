import { t } from "@lingui/core/macro";
import { type ReactNode, Suspense, useRef } from "react";
import { lazyPart } from "#/lib/lazy-part.ts";
import type { Turn } from "./tree.ts";
import { type TurnActions, TurnView } from "./turn-view.tsx";
import { useFollow } from "./use-follow.ts";

const Windowed = lazyPart(async () => (await import("./windowed-turns.tsx")).WindowedTurns);

/** Longer conversations are virtualized. */
const MOST_WHOLE = 40;

type Props = {
  /** The id of the conversation. */
  of: string | null;
  turns: readonly Turn[];
  editing: string | null;
  /** Null while nobody is signed in. */
  actions: TurnActions | null;
  empty: ReactNode;
};

/** The visible turns of a conversation, scrolled to the end. */
export function TurnList({ of, turns, editing, actions, empty }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { away, toEnd } = useFollow(
    scroller,
    content,
    turns.length === 0 ? null : `${of} ${turns.at(-1)?.question.id}`,
  );
  const view = (turn: Turn, index: number) =>
    actions ? (
      <TurnView
        turn={turn}
        last={index === turns.length - 1}
        editing={editing === turn.question.id}
        actions={actions}
      />
    ) : null;
  return (
    <div className="talk-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard too */}
      <section className="talk" ref={scroller} tabIndex={0} aria-label={t`Conversation`}>
        <div ref={content}>
          {turns.length === 0 ? <div className="column">{empty}</div> : null}
          {turns.length > MOST_WHOLE ? (
            <Suspense fallback={null}>
              <Windowed key={of} turns={turns} scroller={scroller} view={view} />
            </Suspense>
          ) : (
            turns.map((turn, index) => <div key={turn.question.id}>{view(turn, index)}</div>)
          )}
        </div>
      </section>
      {away ? (
        <button type="button" className="chip to-end" onClick={toEnd}>
          {t`To the end`}
        </button>
      ) : null}
    </div>
  );
}
