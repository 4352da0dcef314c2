import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** Options of the mail server, such as whom it lets in. */
export type MailServerOptions = SMTPServerOptions;

/** A message as the mail server got it. `text` is the whole message with its headers, without quoted-printable line ends. */
export type ReceivedMail = { from: string; to: string[]; text: string; secure: boolean; user: string | undefined };

/** Starts a mail server on its own port. `answers` are its status codes for consecutive messages. */
export async function startMailServer(answers: number[] = [], options: MailServerOptions = {}) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const code = answers.shift() ?? 250;
        if (code >= 400) return callback(Object.assign(new Error("not now"), { responseCode: code }));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString().replaceAll("=\r\n", "").replaceAll("=3D", "="),
          secure: session.secure,
          user: session.user,
        });
        callback();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
