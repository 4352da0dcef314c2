const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Draws a bar of a chart in proportion to its value: `█████▌`; `#####` without Unicode. */
export function drawBar(value: number, max: number, width: number, unicode: boolean): string {
  if (!(value > 0) || !(max > 0)) return "";
  const eighths = Math.max(1, Math.round((Math.min(value, max) / max) * width * 8));
  if (!unicode) return "#".repeat(Math.max(1, Math.round(eighths / 8)));
  return "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "");
}
