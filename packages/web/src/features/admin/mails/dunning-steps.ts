/** What happens on a day after an invoice whose card is declined. */
export type DunningStep = { day: number; isLast: boolean };

/**
 * Returns the attempts to collect an invoice, by the setting FEATHER_DUNNING_DAYS as the server shows it, such as `[1,3]`:
 * the first on the day of the invoice; after the last one the plan ends.
 */
export function toDunningSteps(setting: string): DunningStep[] {
  const days = [0, ...(JSON.parse(setting) as number[])];
  return days.map((day, index) => ({ day, isLast: index === days.length - 1 }));
}
