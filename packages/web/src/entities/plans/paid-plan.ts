/** The id of the free plan, which organizations without another plan have. */
export const FREE_PLAN = "feather_lite";

/** Returns whether a plan is not the free one, regardless of its price and of who collects the payment. */
export const isPaidPlan = ({ id }: { id: string }): boolean => id !== FREE_PLAN;
