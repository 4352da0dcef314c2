import type { FastifyReply } from "fastify";
import type { Handlers } from "../../http/bind.ts";
import { paymentsOff } from "./billing.errors.ts";
import type { Billing } from "./billing.ts";
import { sendPage } from "./pages.ts";
import type { Shown } from "./test-pages.ts";

/** Routes of the test driver's pages. The secret in the address is the only access check, as with a payment service. */
export function testPaymentRoutes({ billing }: { billing: Billing }): Handlers {
  const pages = () => {
    if (!billing.testPages) throw paymentsOff();
    return billing.testPages;
  };
  const show = (reply: FastifyReply, { title, body }: Shown) => sendPage(reply, title, body);
  return {
    "testPayments.page": async ({ path, reply }) => show(reply, await pages().show(path.token)),
    "testPayments.submit": async ({ path, body, request, reply }) => {
      const outcome = await pages().submit(path.token, body, request.ip);
      return "to" in outcome ? reply.code(303).header("location", outcome.to).send() : show(reply, outcome);
    },
  };
}
