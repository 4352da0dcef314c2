import type { FastifyReply } from "fastify";
import type { Handlers } from "../../http/bind.ts";
import type { Billing } from "./billing.ts";
import { sendPage } from "./pages.ts";
import type { Shown } from "./test-pages.ts";

/** The pages of the built-in test driver. Whoever has the address may open one, as with a payment service. */
export function testPaymentRoutes({ billing: { testPages } }: { billing: Billing }): Handlers {
  const show = (reply: FastifyReply, { title, body }: Shown) => sendPage(reply, title, body);
  return {
    "testPayments.page": async ({ path, reply }) => show(reply, await testPages.show(path.token)),
    "testPayments.submit": async ({ path, body, reply }) => {
      const outcome = await testPages.submit(path.token, body);
      return "to" in outcome ? reply.code(303).header("location", outcome.to).send() : show(reply, outcome);
    },
  };
}
