import { t } from "@lingui/core/macro";
import { type ReactNode, Suspense, useRef } from "react";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "../chat.module.css";
import type { Turn } from "../conversation/tree.ts";
import { type TurnActions, TurnView } from "./turn-view.tsx";
import { useIsPrinting } from "./use-is-printing.ts";
import { useScrollToEnd } from "./use-scroll-to-end.ts";

const LazyWindowedTurns = lazyComponent(async () => (await import("./windowed-turns.tsx")).WindowedTurns);

/** Longer conversations are virtualized, but on paper. */
const MAX_UNWINDOWED_TURNS = 40;

type Props = {
  /** The id of the conversation. */
  conversationId: string | null;
  turns: readonly Turn[];
  editing: string | null;
  /** Null for visitors. */
  actions: TurnActions | null;
  emptyState: ReactNode;
};

/** The visible turns of a conversation, scrolled to the end. */
export function TurnList({ conversationId, turns, editing, actions, emptyState }: Props) {
  const isPrinting = useIsPrinting();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isScrolledAway, scrollToEnd } = useScrollToEnd(
    scroller,
    content,
    turns.length === 0 ? null : `${conversationId} ${turns.at(-1)?.question.id}`,
  );
  const renderTurn = (turn: Turn, index: number) =>
    actions ? (
      <TurnView
        turn={turn}
        isLast={index === turns.length - 1}
        editing={editing === turn.question.id}
        actions={actions}
      />
    ) : null;
  return (
    <div className={styles.talkFrame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard too */}
      <section className={styles.talk} ref={scroller} tabIndex={0} aria-label={t`Conversation`}>
        <div ref={content}>
          {turns.length === 0 ? <div className={styles.column}>{emptyState}</div> : null}
          {turns.length > MAX_UNWINDOWED_TURNS && !isPrinting ? (
            <Suspense fallback={null}>
              <LazyWindowedTurns key={conversationId} turns={turns} scroller={scroller} renderTurn={renderTurn} />
            </Suspense>
          ) : (
            turns.map((turn, index) => <div key={turn.question.id}>{renderTurn(turn, index)}</div>)
          )}
        </div>
      </section>
      {isScrolledAway ? (
        <button type="button" className={`chip ${styles.toEnd}`} onClick={scrollToEnd}>
          {t`To the end`}
        </button>
      ) : null}
    </div>
  );
}
