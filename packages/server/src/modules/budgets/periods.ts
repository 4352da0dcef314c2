/** When a spend limit resets next: midnight, Monday or the first of the month, in UTC; null when it does not. */
export function nextLimitReset(period: string | null, now: Date): Date | null {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (period === "day") return new Date(Date.UTC(year, month, day + 1));
  if (period === "week") return new Date(Date.UTC(year, month, day + 7 - ((now.getUTCDay() + 6) % 7)));
  if (period === "month") return new Date(Date.UTC(year, month + 1, 1));
  return null;
}
