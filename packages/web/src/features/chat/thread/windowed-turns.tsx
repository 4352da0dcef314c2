import { useVirtualizer } from "@tanstack/react-virtual";
import type { ReactNode, RefObject } from "react";
import type { Turn } from "../conversation/tree.ts";
import styles from "./windowed-turns.module.css";

const ESTIMATED_TURN_HEIGHT_PX = 320;

type Props = {
  turns: readonly Turn[];
  scroller: RefObject<HTMLElement | null>;
  renderTurn(turn: Turn, index: number): ReactNode;
};

/** Renders only the turns around the visible part of the conversation. */
export function WindowedTurns({ turns, scroller, renderTurn }: Props) {
  const virtualizer = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_TURN_HEIGHT_PX,
    getItemKey: (index) => turns[index]?.question.id ?? index,
    overscan: 4,
    initialOffset: turns.length * ESTIMATED_TURN_HEIGHT_PX,
  });
  return (
    <div style={{ height: virtualizer.getTotalSize(), position: "relative" }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const turn = turns[index];
        return turn ? (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={styles.windowed}
            style={{ transform: `translateY(${start}px)` }}
          >
            {renderTurn(turn, index)}
          </div>
        ) : null;
      })}
    </div>
  );
}
