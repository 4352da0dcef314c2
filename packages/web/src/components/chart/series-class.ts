import styles from "./chart.module.css";
import type { ChartData } from "./chart-data.ts";

/** Returns the class that gives a series its colour. */
export const seriesClass = ({ series }: ChartData, index: number): string =>
  `${series[index]?.tone === "bad" ? styles.bad : styles[`series${Math.min(index, 3) + 1}`]}`;
