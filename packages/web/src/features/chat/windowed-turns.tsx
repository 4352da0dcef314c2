import { useVirtualizer } from "@tanstack/react-virtual";
import type { ReactNode, RefObject } from "react";
import type { Turn } from "./tree.ts";

const USUAL_HEIGHT = 320;

type Props = {
  turns: readonly Turn[];
  scroller: RefObject<HTMLElement | null>;
  view(turn: Turn, index: number): ReactNode;
};

/** Renders only the turns around the visible part of the conversation. */
export function WindowedTurns({ turns, scroller, view }: Props) {
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
