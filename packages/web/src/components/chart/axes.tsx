import styles from "./chart.module.css";
import type { ChartLayout } from "./layout.ts";

/** The lines and labels of round values, and the labels of times. */
export function Axes({ layout, isRightToLeft }: { layout: ChartLayout; isRightToLeft: boolean }) {
  const { left, right, bottom, valueTicks, timeTicks } = layout;
  return (
    <>
      {valueTicks.map(({ position, label }) => (
        <g key={label}>
          <line
            className={position === bottom ? styles.base : styles.rule}
            x1={left}
            x2={right}
            y1={position}
            y2={position}
          />
          <text
            x={isRightToLeft ? right + 8 : left - 8}
            y={position}
            dy="0.32em"
            textAnchor={isRightToLeft ? "start" : "end"}
          >
            {label}
          </text>
        </g>
      ))}
      {timeTicks.map(({ position, label }) => (
        <text key={position} x={position} y={bottom + 17} textAnchor="middle">
          {label}
        </text>
      ))}
    </>
  );
}
