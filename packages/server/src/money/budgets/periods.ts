/**
 * Returns when a spend limit resets next: at midnight, on Monday or on the first of the month, in UTC. Null if it never
 * resets.
 */
export function nextLimitReset(period: string | null, now: Date): Date | null {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (period === "day") return new Date(Date.UTC(year, month, day + 1));
  if (period === "week") return new Date(Date.UTC(year, month, day + 7 - ((now.getUTCDay() + 6) % 7)));
  if (period === "month") return new Date(Date.UTC(year, month + 1, 1));
  return null;
}
