import type { Handlers } from "../../../platform/core/http/handlers.ts";
import type { createTestClockUseCases, TestClock } from "./test-clock.usecases.ts";

const toTestClockDto = ({ daysAhead, time }: TestClock) => ({ days_ahead: daysAhead, time: time.toISOString() });

/** Routes with which admins read and advance the time of an organization. */
export function testClockRoutes(testClocks: ReturnType<typeof createTestClockUseCases>): Handlers {
  return {
    "admin.users.testClock": async ({ path }) => toTestClockDto(await testClocks.get(path.id)),
    "admin.users.advanceTime": async ({ actor, path, body }) =>
      toTestClockDto(await testClocks.advance(actor, path.id, body.days)),
  };
}
