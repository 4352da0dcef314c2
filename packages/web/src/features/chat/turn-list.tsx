import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useRef } from "react";
import type { Turn } from "./tree.ts";
import { type TurnActions, TurnView } from "./turn-view.tsx";
import { useFollow } from "./use-follow.ts";

/** Longer conversations are on the page in part only. */
const MOST_WHOLE = 40;
const USUAL_HEIGHT = 320;

type Props = {
  /** Which conversation it is. */
  of: string | null;
  turns: readonly Turn[];
  editing: string | null;
  /** Null as long as nobody is signed in. */
  actions: TurnActions | null;
  empty: ReactNode;
};

/** Everything that was said, the end in view. */
export function TurnList({ of, turns, editing, actions, empty }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { away, toEnd } = useFollow(scroller, content, of);
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
      <section className="talk" ref={scroller} tabIndex={0} aria-label="Conversation">
        <div ref={content}>
          {turns.length === 0 ? <div className="column">{empty}</div> : null}
          {turns.length > MOST_WHOLE ? (
            <Windowed key={of} turns={turns} scroller={scroller} view={view} />
          ) : (
            turns.map((turn, index) => <div key={turn.question.id}>{view(turn, index)}</div>)
          )}
        </div>
      </section>
      {away ? (
        <button type="button" className="chip to-end" onClick={toEnd}>
          To the end ↓
        </button>
      ) : null}
    </div>
  );
}

type WindowedProps = {
  turns: readonly Turn[];
  scroller: RefObject<HTMLElement | null>;
  view(turn: Turn, index: number): ReactNode;
};

/** The turns around what is in view. */
function Windowed({ turns, scroller, view }: WindowedProps) {
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: (index) => turns[index]?.question.id ?? index,
    overscan: 4,
    initialOffset: turns.length * USUAL_HEIGHT,
  });
  return (
    <div style={{ height: virtual.getTotalSize(), position: "relative" }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const turn = turns[index];
        return turn ? (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className="windowed"
            style={{ transform: `translateY(${start}px)` }}
          >
            {view(turn, index)}
          </div>
        ) : null;
      })}
    </div>
  );
}
