/** The plan of everybody who is on no other. */
export const FREE_PLAN = "feather_lite";

/** Whether a plan counts as a paid one: all but the free plan do, whatever they cost and whoever collects for them. */
export const isPaidPlan = ({ id }: { id: string }): boolean => id !== FREE_PLAN;
