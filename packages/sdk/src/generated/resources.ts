/** A method for every operation of the contract. Generated; do not edit. */
import type { ApiPromise, PagedPromise } from "../api-promise.ts";
import type { Body, Query, RequestOptions, Result, Streamed, Streaming, StreamOf, Whole } from "../types.ts";

export interface Resources {
  v1: {
    models: {
      /** List models. OpenAI's list of up to 10,000 models, those that answer now first. With `page` or `per_page` it answers a page and adds `pagination`. Where there are more models, `links.next` is the address that goes on. `GET /v1/models` */
      list(query?: Query<"v1.models.list">, options?: RequestOptions): ApiPromise<Result<"v1.models.list">>;
      /** Get a model. One model in OpenAI's shape. `GET /v1/models/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"v1.models.get">>;
    };
  };
  chat: {
    completions: {
      /** Answer a conversation. Sends a conversation to a model and answers what it says, at once or as a stream of events that ends in `data: [DONE]`. An error in mid-stream is an event `data: {"error": …}`, and then the connection closes without `[DONE]`. The call holds the units of the model while it runs. `POST /v1/chat/completions` */
      create(body: Streaming<Body<"chat.completions.create">>, options?: RequestOptions): ApiPromise<StreamOf<"chat.completions.create">>;
      /** Answer a conversation. Sends a conversation to a model and answers what it says, at once or as a stream of events that ends in `data: [DONE]`. An error in mid-stream is an event `data: {"error": …}`, and then the connection closes without `[DONE]`. The call holds the units of the model while it runs. `POST /v1/chat/completions` */
      create(body: Whole<Body<"chat.completions.create">>, options?: RequestOptions): ApiPromise<Result<"chat.completions.create">>;
    };
  };
  completions: {
    /** Continue a text. Continues a text, or several side by side. Several count as that many calls at once, and hold the units of each. `POST /v1/completions` */
    create(body: Streaming<Body<"completions.create">>, options?: RequestOptions): ApiPromise<StreamOf<"completions.create">>;
    /** Continue a text. Continues a text, or several side by side. Several count as that many calls at once, and hold the units of each. `POST /v1/completions` */
    create(body: Whole<Body<"completions.create">>, options?: RequestOptions): ApiPromise<Result<"completions.create">>;
  };
  embeddings: {
    /** Embed texts. Turns texts into vectors. A batch counts as one call. `POST /v1/embeddings` */
    create(body: Body<"embeddings.create">, options?: RequestOptions): ApiPromise<Result<"embeddings.create">>;
  };
  tokenize: {
    /** Count tokens. Splits a text into the tokens of a model, without marks of beginning or end. Several splittings may give the same text. What runs the model has to have a tokenizer to ask; otherwise the answer is 400 `unsupported_parameter`. It holds no units. `POST /v1/tokenize` */
    create(body: Body<"tokenize.create">, options?: RequestOptions): ApiPromise<Result<"tokenize.create">>;
  };
  plan: {
    /** Get the plan of the caller. Limits that hold for this key. `null` means no limit. `GET /v1/plan` */
    get(options?: RequestOptions): ApiPromise<Result<"plan.get">>;
  };
  responses: {
    /** Answer in the Responses format. OpenAI's Responses call without kept state, translated to a chat completion. `previous_response_id` and `store: true` are refused. A stream ends in exactly one of `response.completed`, `response.incomplete` and `response.failed`; what a model thinks comes as the summary of a `reasoning` item. `POST /v1/responses` */
    create(body: Streaming<Body<"responses.create">>, options?: RequestOptions): ApiPromise<StreamOf<"responses.create">>;
    /** Answer in the Responses format. OpenAI's Responses call without kept state, translated to a chat completion. `previous_response_id` and `store: true` are refused. A stream ends in exactly one of `response.completed`, `response.incomplete` and `response.failed`; what a model thinks comes as the summary of a `reasoning` item. `POST /v1/responses` */
    create(body: Whole<Body<"responses.create">>, options?: RequestOptions): ApiPromise<Result<"responses.create">>;
  };
  messages: {
    /** Answer in the Messages format. Anthropic's Messages call, translated to a chat completion. Keys are taken from `x-api-key` too. Errors have Anthropic's shape, also inside a stream. `POST /v1/messages` */
    create(body: Streaming<Body<"messages.create">>, options?: RequestOptions): ApiPromise<StreamOf<"messages.create">>;
    /** Answer in the Messages format. Anthropic's Messages call, translated to a chat completion. Keys are taken from `x-api-key` too. Errors have Anthropic's shape, also inside a stream. `POST /v1/messages` */
    create(body: Whole<Body<"messages.create">>, options?: RequestOptions): ApiPromise<Result<"messages.create">>;
    /** Count the tokens of a Messages request. Counts what a model would have to read, without calling it. Exact for the texts where what runs the model has a tokenizer to ask, an estimate otherwise; the template around the conversation is not counted. `POST /v1/messages/count_tokens` */
    countTokens(body: Body<"messages.countTokens">, options?: RequestOptions): ApiPromise<Result<"messages.countTokens">>;
  };
  preflight: {
    /** Ask whether a call would be admitted. Says whether a call to a model would be let in at this moment, and what it would take in units, context and credits. Nothing is held and no model is loaded; a moment later the answer may be another. `POST /v1/preflight` */
    create(body: Body<"preflight.create">, options?: RequestOptions): ApiPromise<Result<"preflight.create">>;
  };
  concurrency: {
    /** See units in use. The units in use by the organization at this moment, and the requests that hold them. `GET /account/concurrency` */
    get(options?: RequestOptions): ApiPromise<Result<"concurrency.get">>;
    /** Follow units in use. The same as a stream: one event at once, then one every two seconds. `GET /account/concurrency/stream` */
    stream(options?: RequestOptions): ApiPromise<StreamOf<"concurrency.stream">>;
  };
  models: {
    /** List models. The catalogue, searched, filtered and sorted. Values of one filter are alternatives, except for tags; filters narrow each other down. Without `sort`, exact ids come first, then warm models, then the newest. Up to 10,000 models are counted one by one; beyond that, `total_items` and the counts of facets are estimates. `GET /feather/models` */
    list(query?: Query<"models.list">, options?: RequestOptions): PagedPromise<Result<"models.list">>;
    /** Get a model. One model with its readme. `scrape=1`, for signed-in callers, reads a model that is unknown here from the model hub and adds it to the catalogue; for what the hub does not have, it is asked once a day. When more than one class fits, the answer is 409 `model_class_ambiguous` with the candidates, and `model_class` says which one it is. A repository that cannot be served is 409 `model_incompatible` with the rules it breaks, and a gated one 403 `hub.gated`. `GET /feather/models/{id}` */
    get(id: string, query?: Query<"models.get">, options?: RequestOptions): ApiPromise<Result<"models.get">>;
    /** Ask for a model. Asks that a model of the hub be added to the catalogue, or that one of the catalogue be run. One request for each organization and model; a second one answers the same. It is a request to the admins of the server, who see it in their list and decide; nothing is deployed by itself. A repository that cannot be served is refused with the rules that it breaks. `POST /feather/models/{id}` */
    request(id: string, body: Body<"models.request">, options?: RequestOptions): ApiPromise<Result<"models.request">>;
    /** Unlock a gated model. Checks with the hub that the token may read the repository, and remembers that for the organization. Platform admins may waive the check by leaving the token out. Unlocking again answers the first unlock. `POST /feather/models/{id}/unlock` */
    unlock(id: string, body: Body<"models.unlock">, options?: RequestOptions): ApiPromise<Result<"models.unlock">>;
    /** List families. Families of models and their sub-types, with how many models each has. `GET /feather/families` */
    families(options?: RequestOptions): ApiPromise<Result<"models.families">>;
    /** List classes. Classes of models that run alike and cost the same units. `GET /feather/classes` */
    classes(options?: RequestOptions): ApiPromise<Result<"models.classes">>;
    /** List popular models. Models by requests in the last seven days, here. `GET /feather/popular` */
    popular(options?: RequestOptions): ApiPromise<Result<"models.popular">>;
    /** List releases. Days of release, newest first, with the models of each. `GET /feather/releases` */
    releases(query?: Query<"models.releases">, options?: RequestOptions): PagedPromise<Result<"models.releases">>;
    /** Get figures. Figures of the platform, counted now. `GET /feather/stats` */
    stats(options?: RequestOptions): ApiPromise<Result<"models.stats">>;
    reviews: {
      /** List reviews. What users say of a model, with a summary. `GET /feather/models/{id}/reviews` */
      list(id: string, query?: Query<"models.reviews.list">, options?: RequestOptions): PagedPromise<Result<"models.reviews.list">>;
      /** Write a review. One review for each user and model: a second one replaces the first. `POST /feather/models/{id}/reviews` */
      create(id: string, body: Body<"models.reviews.create">, options?: RequestOptions): ApiPromise<Result<"models.reviews.create">>;
      /** Delete a review. Deletes the caller's own review. `DELETE /feather/models/{id}/reviews/{reviewId}` */
      delete(id: string, reviewId: string, options?: RequestOptions): ApiPromise<Result<"models.reviews.delete">>;
      /** Call a review helpful. One vote for each user and review, not for one's own. Without a body it is given or taken back, whichever is not the case; `helpful` says which. `POST /feather/models/{id}/reviews/{reviewId}/helpful` */
      helpful(id: string, reviewId: string, body?: Body<"models.reviews.helpful">, options?: RequestOptions): ApiPromise<Result<"models.reviews.helpful">>;
      /** Report a review. Asks the admins to look at a review. `POST /feather/models/{id}/reviews/{reviewId}/report` */
      report(id: string, reviewId: string, body: Body<"models.reviews.report">, options?: RequestOptions): ApiPromise<Result<"models.reviews.report">>;
      /** List tags of reviews. The tags that reviews may have, in the operator's order. `GET /feather/review-tags` */
      tags(options?: RequestOptions): ApiPromise<Result<"models.reviews.tags">>;
    };
    /** Save a model. Puts a model among the favourites. `PUT /feather/models/{id}/favorite` */
    favorite(id: string, options?: RequestOptions): ApiPromise<Result<"models.favorite">>;
    /** Unsave a model. Takes a model from the favourites. `DELETE /feather/models/{id}/favorite` */
    unfavorite(id: string, options?: RequestOptions): ApiPromise<Result<"models.unfavorite">>;
    /** List saved models. The favourites of the caller. `GET /feather/favorites` */
    favorites(options?: RequestOptions): ApiPromise<Result<"models.favorites">>;
  };
  status: {
    /** Get error rates. Requests, errors and speed of each model class over the window, from real requests. `GET /feather/status/error-rates` */
    errorRates(query?: Query<"status.errorRates">, options?: RequestOptions): ApiPromise<Result<"status.errorRates">>;
    /** Get the last day by the hour. Requests, errors and speed in each of the last 24 hours, from real requests, the earliest first. An hour without requests is there too, with nothing in it. `GET /feather/status/history` */
    history(query?: Query<"status.history">, options?: RequestOptions): ApiPromise<Result<"status.history">>;
    /** List incidents. What is wrong, and what was in the last 90 days, newest first. `GET /feather/status/incidents` */
    incidents(options?: RequestOptions): ApiPromise<Result<"status.incidents">>;
  };
  auth: {
    /** Get the signed-in user. Who the credential belongs to, with organization and plan. `GET /auth/me` */
    me(options?: RequestOptions): ApiPromise<Result<"auth.me">>;
    /** Log in. Sets the session cookie, and ends the session that the request came with. Programs without cookies ask for the session token with the header `x-session-transport` and send it as a bearer. `POST /auth/login` */
    login(body: Body<"auth.login">, options?: RequestOptions): ApiPromise<Result<"auth.login">>;
    /** Finish a log-in with a second factor. With one of a code of the authenticator app, a recovery code, or a passkey's answer to the options in the challenge. Signs in as `auth.login` does. A challenge ends after five wrong answers, and wrong codes delay further ones. `POST /auth/login/second-factor` */
    secondFactor(body: Body<"auth.secondFactor">, options?: RequestOptions): ApiPromise<Result<"auth.secondFactor">>;
    /** Sign up. Makes an account with an organization of its own on the free plan, and signs in. Where a mail server is set up the answer is 202 instead, whether or not there is an account with this e-mail: a message sent there goes on from here. With an invitation for this e-mail the account is signed in at once. `registration` of system.config tells who may sign up: others are refused with `registration_closed` or `invitation_required`. `POST /auth/register` */
    register(body: Body<"auth.register">, options?: RequestOptions): ApiPromise<Result<"auth.register">>;
    /** Sign where a visitor came from. Makes the `state` that registering takes: the page to go back to, who referred the visitor, and the campaign. A page of another site counts as none. `POST /auth/state` */
    state(body: Body<"auth.state">, options?: RequestOptions): ApiPromise<Result<"auth.state">>;
    /** Log out. Ends the session and clears the cookie. Without a session nothing happens. `POST /auth/logout` */
    logout(options?: RequestOptions): ApiPromise<Result<"auth.logout">>;
    /** Verify the e-mail address. With a token: verifies the address and signs in. Without: sends the message again, once a minute. `POST /auth/email-verification` */
    verifyEmail(body?: Body<"auth.verifyEmail">, options?: RequestOptions): ApiPromise<Result<"auth.verifyEmail">>;
    /** Disconnect a sign-in provider. Refused when it is the only way to sign in. Needs the password, or a recent sign-in where there is none. The owner is told by mail. `DELETE /auth/{provider}` */
    disconnect(provider: string, body?: Body<"auth.disconnect">, options?: RequestOptions): ApiPromise<Result<"auth.disconnect">>;
    /** Ask for a new password. Always answers the same, whether the address is known or not. `POST /auth/forgot-password` */
    forgotPassword(body: Body<"auth.forgotPassword">, options?: RequestOptions): ApiPromise<Result<"auth.forgotPassword">>;
    /** Set a new password. With the token of the message, which works once and for an hour. Ends all sessions of the account and all permissions of applications, and API keys and deployment tokens made lately. A message lists what has ended. `POST /auth/reset-password` */
    resetPassword(body: Body<"auth.resetPassword">, options?: RequestOptions): ApiPromise<Result<"auth.resetPassword">>;
    /** Ask whether a trial is possible. Whether the organization may start a trial: some plan offers one, the e-mail is verified and had none before (its aliases included), nothing was paid before, and the card in store had none. `GET /auth/trial-eligibility` */
    trialEligibility(options?: RequestOptions): ApiPromise<Result<"auth.trialEligibility">>;
    /** Check a link. Whether the token of a link that works once can still be used, so that a page says so before it asks for anything. Uses nothing up. A token of another purpose, and one that was never made, count as used. `POST /auth/link` */
    checkLink(body: Body<"auth.checkLink">, options?: RequestOptions): ApiPromise<Result<"auth.checkLink">>;
    /** Make the first admin. With the token of the one-time link that the server prints at its start; it works for an hour and only while there is no admin. `POST /auth/setup` */
    setup(body: Body<"auth.setup">, options?: RequestOptions): ApiPromise<Result<"auth.setup">>;
    /** List sign-in providers. Providers that are set up here. `GET /auth/providers` */
    providers(options?: RequestOptions): ApiPromise<Result<"auth.providers">>;
    /** Start signing in with a provider. Where to send the browser. To connect a provider to an account there is, use auth.link. `GET /auth/{provider}/connect` */
    connect(provider: string, query?: Query<"auth.connect">, options?: RequestOptions): ApiPromise<Result<"auth.connect">>;
    /** Start connecting a provider to the account. Where to send the browser, so that the account there can sign in to this one from then on. Needs the password, or a recent sign-in where there is none. The owner is told by mail. `POST /auth/{provider}/connect` */
    link(provider: string, body: Body<"auth.link">, options?: RequestOptions): ApiPromise<Result<"auth.link">>;
    /** Finish signing in with a provider. With what the provider sent back. A visit that auth.link began connects the provider, in the session that began it; every other one signs in, and ends the session that the request came with. `POST /auth/{provider}/callback` */
    callback(provider: string, body: Body<"auth.callback">, options?: RequestOptions): ApiPromise<Result<"auth.callback">>;
    sessions: {
      /** List sessions. Where the account is signed in. `GET /auth/sessions` */
      list(options?: RequestOptions): ApiPromise<Result<"auth.sessions.list">>;
      /** End all other sessions. Signs the account out everywhere but here. `DELETE /auth/sessions` */
      deleteOthers(options?: RequestOptions): ApiPromise<Result<"auth.sessions.deleteOthers">>;
      /** End a session. Signs that session out. `DELETE /auth/sessions/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"auth.sessions.delete">>;
    };
    /** Change the password. Asks for the present one, where there is one, and ends all other sessions and all permissions of applications. This session goes on with a new secret. A message lists what has ended. `POST /auth/password` */
    changePassword(body: Body<"auth.changePassword">, options?: RequestOptions): ApiPromise<Result<"auth.changePassword">>;
    passkeys: {
      /** Sign in with a passkey. With what the browser answered to the options of `auth.passkeys.beginSignIn`. Signs in as `auth.login` does, without a further question: a passkey on a device that checked who holds it is two factors. `POST /auth/login/passkey` */
      signIn(body: Body<"auth.passkeys.signIn">, options?: RequestOptions): ApiPromise<Result<"auth.passkeys.signIn">>;
      /** Begin to sign in with a passkey. Answers the options that the browser asks for a passkey with, and ties them to it by a cookie. Refused with `passkeys_unavailable` where browsers know no passkeys. `POST /auth/login/passkey/begin` */
      beginSignIn(options?: RequestOptions): ApiPromise<Result<"auth.passkeys.beginSignIn">>;
      /** List passkeys. What the account can sign in with besides its password. `GET /auth/passkeys` */
      list(options?: RequestOptions): ApiPromise<Result<"auth.passkeys.list">>;
      /** Add a passkey. With what the browser made from the options of `auth.passkeys.beginRegistration`, in the same session within five minutes. From then on the account asks for a second factor. All other sessions end, and the owner is told by mail. `POST /auth/passkeys` */
      register(body: Body<"auth.passkeys.register">, options?: RequestOptions): ApiPromise<Result<"auth.passkeys.register">>;
      /** Begin to add a passkey. Answers the options that the browser makes a passkey with. Needs the password, or a recent sign-in where there is none. Browsers know passkeys only at https addresses with a name, and at localhost: elsewhere the call is refused with `passkeys_unavailable`. `POST /auth/passkeys/registration` */
      beginRegistration(body?: Body<"auth.passkeys.beginRegistration">, options?: RequestOptions): ApiPromise<Result<"auth.passkeys.beginRegistration">>;
      /** Rename a passkey. Gives a passkey of the account another name. `PUT /auth/passkeys/{id}` */
      update(id: string, body: Body<"auth.passkeys.update">, options?: RequestOptions): ApiPromise<Result<"auth.passkeys.update">>;
      /** Remove a passkey. Needs the password, or a recent sign-in where there is none. All other sessions end, and the owner is told by mail. With the last second factor the recovery codes end too; it stays where the operator asks for one. `DELETE /auth/passkeys/{id}` */
      delete(id: string, body?: Body<"auth.passkeys.delete">, options?: RequestOptions): ApiPromise<Result<"auth.passkeys.delete">>;
    };
    totp: {
      /** Begin a second factor. Answers the secret for the authenticator app. Needs the password, or a recent sign-in where there is none. `POST /auth/totp` */
      begin(body?: Body<"auth.totp.begin">, options?: RequestOptions): ApiPromise<Result<"auth.totp.begin">>;
      /** Turn the second factor off. With a code of the app, or a recovery code, and the password, or a recent sign-in where there is none. All other sessions end, and the owner is told by mail. With the last second factor the recovery codes end too; it stays where the operator asks for one. `DELETE /auth/totp` */
      disable(body: Body<"auth.totp.disable">, options?: RequestOptions): ApiPromise<Result<"auth.totp.disable">>;
      /** Confirm a second factor. With a code of the app; answers recovery codes, this one time, where the account has none left. All other sessions end, and the owner is told by mail. `POST /auth/totp/confirm` */
      confirm(body: Body<"auth.totp.confirm">, options?: RequestOptions): ApiPromise<Result<"auth.totp.confirm">>;
    };
    /** Look at an invitation. What the link of an invitation is for, so that a page can say so before anybody signs up or in. `GET /invitations/{token}` */
    invitation(token: string, options?: RequestOptions): ApiPromise<Result<"auth.invitation">>;
  };
  account: {
    /** Change the profile. Changes the given fields. `PUT /account` */
    update(body: Body<"account.update">, options?: RequestOptions): ApiPromise<Result<"account.update">>;
    /** Delete the account. For ever, with everything in it, as `GET /account/deletion` tells before. Credits, paid time and what is kept for the next invoices are forfeited. Invoices stay on the books; what was used stays in reports, without whose it was. Needs the password, or a recent sign-in where there is none. The last admin of the platform, or of an organization with other members, hands over first. `DELETE /account` */
    delete(body: Body<"account.delete">, options?: RequestOptions): ApiPromise<Result<"account.delete">>;
    /** Ask what deleting the account takes with it. The organizations without other members, which are deleted with the account, and what they have left. None of it is given back: ask whoever runs the server for a refund before. Nothing is changed. `GET /account/deletion` */
    previewDeletion(options?: RequestOptions): ApiPromise<Result<"account.previewDeletion">>;
    /** Export the account. Everything kept about the caller, and about the organizations whose admin they are, by kind: however many requests there are, all of them are in it. The answer is written as it is read, so that it may be large. `GET /account/export` */
    export(options?: RequestOptions): ApiPromise<Result<"account.export">>;
    authorizations: {
      /** List allowed applications. Programs that may act for the caller. `GET /account/authorizations` */
      list(options?: RequestOptions): ApiPromise<Result<"account.authorizations.list">>;
      /** Withdraw a permission. Ends all tokens of the program for the caller. `DELETE /account/authorizations/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"account.authorizations.delete">>;
    };
  };
  organization: {
    /** Get the organization. The organization the caller acts for. A session may switch to another; a key belongs to one for good. `GET /organization` */
    get(options?: RequestOptions): ApiPromise<Result<"organization.get">>;
    /** Rename the organization. Only its admins can. The name may hold no web address and may not claim to be this platform. `PUT /organization` */
    update(body: Body<"organization.update">, options?: RequestOptions): ApiPromise<Result<"organization.update">>;
    /** List your organizations. Every organization the caller is a member of, the one joined first in front. `GET /organizations` */
    list(options?: RequestOptions): ApiPromise<Result<"organization.list">>;
    /** Act for another organization. From now on this session acts for this organization, of which the caller is a member. Other sessions and keys stay where they are. `POST /organization/switch` */
    switch(body: Body<"organization.switch">, options?: RequestOptions): ApiPromise<Result<"organization.switch">>;
    /** List roles and what they may do. What members of each role may do, the weakest role first. It is what the server goes by. `GET /organization/roles` */
    roles(options?: RequestOptions): ApiPromise<Result<"organization.roles">>;
    /** Read the organization's audit log. What was done for the organization, newest first. Where an admin of the platform acted as a member, their address is left out. `GET /organization/audit` */
    audit(query?: Query<"organization.audit">, options?: RequestOptions): PagedPromise<Result<"organization.audit">>;
    members: {
      /** List members. The people of the organization, in the order they joined. `GET /organization/members` */
      list(options?: RequestOptions): ApiPromise<Result<"organization.members.list">>;
      /** Change a role. Holds at once, for the sessions and keys of the member too. The last admin stays one. `PUT /organization/members/{userId}` */
      update(userId: string, body: Body<"organization.members.update">, options?: RequestOptions): ApiPromise<Result<"organization.members.update">>;
      /** Remove a member. Admins remove others with `manage_members`; everybody may leave. The keys that the member made in the organization end, and their sessions act for another one. The last admin stays. `DELETE /organization/members/{userId}` */
      delete(userId: string, options?: RequestOptions): ApiPromise<Result<"organization.members.delete">>;
    };
    invitations: {
      /** List invitations. Those not accepted yet, newest first. One that has ended can be sent again. `GET /organization/invitations` */
      list(options?: RequestOptions): ApiPromise<Result<"organization.invitations.list">>;
      /** Invite somebody. Sends a link by mail. It works once, for seven days, and only for the account with this e-mail. Fails with 409 `invitations.organization_name` where the organization's name would mislead who reads the mail. `POST /organization/invitations` */
      create(body: Body<"organization.invitations.create">, options?: RequestOptions): ApiPromise<Result<"organization.invitations.create">>;
      /** Withdraw an invitation. Its link stops working. `DELETE /organization/invitations/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"organization.invitations.delete">>;
      /** Send an invitation again. Sends a new link, good for seven days; the one before stops working. Once a minute at most. `POST /organization/invitations/{id}/resend` */
      resend(id: string, options?: RequestOptions): ApiPromise<Result<"organization.invitations.resend">>;
      /** Accept an invitation. Makes the caller a member and, with a session, lets it act for the organization. The e-mail of the account must be the invited one; it counts as confirmed from then on. `POST /invitations/{token}/accept` */
      accept(token: string, options?: RequestOptions): ApiPromise<Result<"organization.invitations.accept">>;
    };
  };
  apiKeys: {
    /** List API keys. The keys of the caller's organization, newest first. Secrets are never shown again. `GET /api-keys` */
    list(query?: Query<"apiKeys.list">, options?: RequestOptions): PagedPromise<Result<"apiKeys.list">>;
    /** Create an API key. Makes a key and answers its secret, this one time. The plan limits how many keys an organization may have. `POST /api-keys` */
    create(body: Body<"apiKeys.create">, options?: RequestOptions): ApiPromise<Result<"apiKeys.create">>;
    /** Get an API key. One key, without its secret. `GET /api-keys/{id}` */
    get(id: string, options?: RequestOptions): ApiPromise<Result<"apiKeys.get">>;
    /** Change an API key. Changes the given fields and leaves the others. A change holds at once. The name alone is enough. `PUT /api-keys/{id}` */
    update(id: string, body: Body<"apiKeys.update">, options?: RequestOptions): ApiPromise<Result<"apiKeys.update">>;
    /** Delete an API key. Ends the key at once, for ever. Usage recorded with it stays. `DELETE /api-keys/{id}` */
    delete(id: string, options?: RequestOptions): ApiPromise<Result<"apiKeys.delete">>;
    /** Rotate an API key. Gives the key a new secret, shown this one time. The old one goes on for the grace time, a day if nothing is said; an older one ends at once. `POST /api-keys/{id}/rotate` */
    rotate(id: string, body?: Body<"apiKeys.rotate">, options?: RequestOptions): ApiPromise<Result<"apiKeys.rotate">>;
  };
  usage: {
    /** Get credits. Balance of prepaid credits and what moved it, newest first. `GET /usage/credits` */
    credits(query?: Query<"usage.credits">, options?: RequestOptions): ApiPromise<Result<"usage.credits">>;
    /** Get units over time. Units in use in each slice of time, the most at any moment and the average, and calls refused because all were in use. By default the last hour by minute, week by hour or 30 days by day; at most 1,500 slices. `GET /usage/concurrencies` */
    concurrencies(query?: Query<"usage.concurrencies">, options?: RequestOptions): ApiPromise<Result<"usage.concurrencies">>;
    activity: {
      /** Sum up activity. What was called between `start`, which counts, and `end`, which does not; by default in the last 30 days. `GET /usage/activity/summary` */
      summary(query?: Query<"usage.activity.summary">, options?: RequestOptions): ApiPromise<Result<"usage.activity.summary">>;
      /** Report activity. Requests, tokens and cost of the organization, grouped: by hour or day, and by model, key or outcome. Days are those of UTC. The times are widened to whole hours; by default the last 30 days. `GET /usage/activity/report` */
      report(query?: Query<"usage.activity.report">, options?: RequestOptions): ApiPromise<Result<"usage.activity.report">>;
      /** List requests. Requests to models, newest first; by default those of the last 30 days. `GET /usage/activity/requests` */
      requests(query?: Query<"usage.activity.requests">, options?: RequestOptions): PagedPromise<Result<"usage.activity.requests">>;
    };
    requests: {
      /** Get a receipt. What one request took; its id is the `request-id` header of the answer. `GET /usage/requests/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"usage.requests.get">>;
    };
  };
  credits: {
    /** Get the balance. Prepaid credits of the organization, and how much of them requests in flight have set aside. `GET /credits/balance` */
    balance(options?: RequestOptions): ApiPromise<Result<"credits.balance">>;
    /** Buy credits. Charges the default payment method. Fails with 409 `payments_off` where payments are switched off. `POST /usage/credits/top-up` */
    topUp(body: Body<"credits.topUp">, options?: RequestOptions): ApiPromise<Result<"credits.topUp">>;
  };
  subscription: {
    /** List plans. What can be had, and its price. `GET /subscription/plans` */
    plans(options?: RequestOptions): ApiPromise<Result<"subscription.plans">>;
    /** Get the subscription. The plan the organization is on. `GET /subscription` */
    get(options?: RequestOptions): ApiPromise<Result<"subscription.get">>;
    /** Change the plan. With `preview: true` answers what the change would cost and changes nothing; else changes the plan. A change to a plan that costs as much or more holds at once and is paid now, less what is left of the present period; a change to a cheaper one waits for the end of the period. The free plan means: cancel. Fails with 402 `card_declined`, `payment_method_required` or, with a `url` in its details, `authentication_required`; then the plan stays as it is until the payment succeeds. Where payments are switched off, every plan but the free one fails with 409 `payments_off`. `POST /subscription` */
    change(body: Body<"subscription.change">, options?: RequestOptions): ApiPromise<Result<"subscription.change">>;
    /** Cancel. Ends the subscription when its period ends. `DELETE /subscription` */
    cancel(options?: RequestOptions): ApiPromise<Result<"subscription.cancel">>;
    /** Open the customer portal. A link to the page where the organization looks after its cards and invoices. `POST /subscription/customer-portal` */
    customerPortal(options?: RequestOptions): ApiPromise<Result<"subscription.customerPortal">>;
    /** Check out. Starts buying a plan on a page of the payment service: send the buyer to `url`. The page ends after an hour. The built-in test driver answers a page of this server, marked as a test, that takes test cards. `POST /subscription/checkout` */
    checkout(body: Body<"subscription.checkout">, options?: RequestOptions): ApiPromise<Result<"subscription.checkout">>;
    /** Resume. Takes back a cancellation, or a change that waits for the end of the period. `POST /subscription/resume` */
    resume(options?: RequestOptions): ApiPromise<Result<"subscription.resume">>;
    coupons: {
      /** Check a coupon. Whether a coupon is valid for the caller, and what it gives. `GET /subscription/coupons/{code}` */
      get(code: string, query?: Query<"subscription.coupons.get">, options?: RequestOptions): ApiPromise<Result<"subscription.coupons.get">>;
      /** Apply a coupon. To the present subscription, from the next invoice on. An organization uses a coupon once, and one at a time. `POST /subscription/coupons/{code}` */
      apply(code: string, options?: RequestOptions): ApiPromise<Result<"subscription.coupons.apply">>;
      /** Remove the coupon. From the present subscription. It counts as used. `DELETE /subscription/coupons` */
      remove(options?: RequestOptions): ApiPromise<Result<"subscription.coupons.remove">>;
    };
    retentionCoupon: {
      /** See the retention offer. What is offered to somebody about to leave; null when nothing is. `GET /subscription/retention-coupon` */
      get(options?: RequestOptions): ApiPromise<Result<"subscription.retentionCoupon.get">>;
      /** Take the retention offer. Once in twelve months. `POST /subscription/retention-coupon` */
      apply(options?: RequestOptions): ApiPromise<Result<"subscription.retentionCoupon.apply">>;
    };
  };
  paymentMethods: {
    setupIntents: {
      /** Begin adding a card. Answers what the payment form needs. `POST /payment-methods/setup-intent` */
      create(options?: RequestOptions): ApiPromise<Result<"paymentMethods.setupIntents.create">>;
      /** Finish adding a card. Confirms it and attaches the card. The test driver takes a test card here: `4242424242424242` works, `4000000000000002` is declined, `4000002500003155` asks the buyer to confirm once (402 `authentication_required`, with a `url` in its details), `4000002760003184` at every payment, and `4000000000000341` is declined when it is charged. Other Visa and Mastercard numbers with a right check digit work. `POST /payment-methods/setup-intent/{id}` */
      confirm(id: string, body?: Body<"paymentMethods.setupIntents.confirm">, options?: RequestOptions): ApiPromise<Result<"paymentMethods.setupIntents.confirm">>;
    };
    /** List cards. Cards of the organization. `GET /payment-methods` */
    list(options?: RequestOptions): ApiPromise<Result<"paymentMethods.list">>;
    /** Make a card the default. Used for the next payments. `PUT /payment-methods/{id}` */
    makeDefault(id: string, options?: RequestOptions): ApiPromise<Result<"paymentMethods.makeDefault">>;
    /** Remove a card. Refused for the only card of a paid plan. `DELETE /payment-methods/{id}` */
    delete(id: string, options?: RequestOptions): ApiPromise<Result<"paymentMethods.delete">>;
  };
  invoices: {
    /** List invoices. Newest first. `GET /invoices` */
    list(query?: Query<"invoices.list">, options?: RequestOptions): PagedPromise<Result<"invoices.list">>;
    /** Get an invoice. One invoice with its lines. `GET /invoices/{id}` */
    get(id: string, options?: RequestOptions): ApiPromise<Result<"invoices.get">>;
    /** Print an invoice. The invoice as a page to print or keep. `GET /invoices/{id}/page` */
    page(id: string, options?: RequestOptions): ApiPromise<Result<"invoices.page">>;
    /** Pay an open invoice. Charges the default card now, without waiting for the next attempt. `POST /invoices/{id}/pay` */
    pay(id: string, options?: RequestOptions): ApiPromise<Result<"invoices.pay">>;
  };
  testPayments: {
    /** Open a page of the test driver. The page on which a buyer checks out, confirms a payment or looks after cards, marked as a test. It stands in for the pages of a payment service; whoever has the address may open it. `GET /test-payments/{token}` */
    page(token: string, options?: RequestOptions): ApiPromise<Result<"testPayments.page">>;
    /** Send a page of the test driver. What the form of that page sends. Goes on to the site, or shows the page again with what was wrong. `POST /test-payments/{token}` */
    submit(token: string, body: Body<"testPayments.submit">, options?: RequestOptions): ApiPromise<Result<"testPayments.submit">>;
  };
  referral: {
    /** Get the referral code. The code to give to friends. `GET /account/referral/code` */
    code(options?: RequestOptions): ApiPromise<Result<"referral.code">>;
    /** Say who referred you. Once, within 30 days of signing up and before the first payment. Refused with 404 `unknown_code`, 400 `self_referral` (also for a second account with the same card), 409 `referrer_already_set`, `mutual_referral` (for somebody whom the caller referred), `referral_too_late` or `referral_after_payment`. `POST /account/referrer` */
    setReferrer(body: Body<"referral.setReferrer">, options?: RequestOptions): ApiPromise<Result<"referral.setReferrer">>;
    /** Sum up referrals. Friends who came and what they earned the caller: credits for both sides after a friend's first payment, or, for affiliates, a part of what friends pay in their first twelve months. `GET /account/referral` */
    summary(options?: RequestOptions): ApiPromise<Result<"referral.summary">>;
    /** List rewards. What the caller earned by referrals, each with the payment's day, newest first. Who made the payment is not said. Credits are released at once; commission is held back until its payment can no longer be given back. What a refund took away is reversed. `GET /account/referral/rewards` */
    rewards(query?: Query<"referral.rewards">, options?: RequestOptions): PagedPromise<Result<"referral.rewards">>;
    /** List payouts. Commission that was paid out to the organization, newest first. `GET /account/referral/payout` */
    payouts(query?: Query<"referral.payouts">, options?: RequestOptions): PagedPromise<Result<"referral.payouts">>;
    /** Pay commission out. All commission that is no longer held back, from 50 USD on. `POST /account/referral/payout` */
    payout(options?: RequestOptions): ApiPromise<Result<"referral.payout">>;
  };
  marketplace: {
    /** List marketplace accounts. Accounts of cloud marketplaces that pay for the organization. `GET /cloud-marketplace/accounts` */
    accounts(options?: RequestOptions): ApiPromise<Result<"marketplace.accounts">>;
    /** Connect a marketplace account. With the token that the marketplace sent along, which works once. When the product is a plan of ours, the organization is on it at once and the marketplace collects; a plan that is not for sale is refused. The test driver takes tokens of the form `test_<customer>_<plan>`. Fails with 409 `marketplaces_off` where marketplaces are switched off. `POST /cloud-marketplace/subscribe` */
    subscribe(body: Body<"marketplace.subscribe">, options?: RequestOptions): ApiPromise<Result<"marketplace.subscribe">>;
  };
  privateModels: {
    /** List private models. Those of the organization. `GET /feather/private-models` */
    list(options?: RequestOptions): ApiPromise<Result<"privateModels.list">>;
    /** Get a private model. With its state. `GET /feather/private-models/{id}` */
    get(id: string, options?: RequestOptions): ApiPromise<Result<"privateModels.get">>;
    /** Load a private model. Fetches and serves a repository of the hub, for the organization only. It needs to pass the six rules, and to hold a GGUF file beside its safetensors, which is what this machine runs. `POST /feather/private-models/{id}` */
    create(id: string, body?: Body<"privateModels.create">, options?: RequestOptions): ApiPromise<Result<"privateModels.create">>;
    /** Delete a private model. Unloads it and deletes its file here. Its deployments must be deleted first. `DELETE /feather/private-models/{id}` */
    delete(id: string, options?: RequestOptions): ApiPromise<Result<"privateModels.delete">>;
    /** Check compatibility. Reads the repository on the hub and checks it against the six rules. `GET /feather/private-models/{id}/compatibility` */
    compatibility(id: string, options?: RequestOptions): ApiPromise<Result<"privateModels.compatibility">>;
    /** Unload a private model. Frees its memory, or stops its download. The next call loads it again if its file is here. Doing it twice is fine. `POST /feather/private-models/{id}/unload` */
    unload(id: string, options?: RequestOptions): ApiPromise<Result<"privateModels.unload">>;
  };
  deployments: {
    /** List deployments. Those of the organization. `GET /feather/private-cloud/deployments` */
    list(query?: Query<"deployments.list">, options?: RequestOptions): PagedPromise<Result<"deployments.list">>;
    /** Create a deployment. Starts a model on a provider; follow its state with get. Names are unique within the organization. Needs a plan with private cloud. `POST /feather/private-cloud/deployments` */
    create(body: Body<"deployments.create">, options?: RequestOptions): ApiPromise<Result<"deployments.create">>;
    /** Get a deployment. With its state and address. `GET /feather/private-cloud/deployments/{id}` */
    get(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.get">>;
    /** Change a deployment. Changes the given fields; replicas are replaced one after the other. `PUT /feather/private-cloud/deployments/{id}` */
    update(id: string, body: Body<"deployments.update">, options?: RequestOptions): ApiPromise<Result<"deployments.update">>;
    /** Delete a deployment. Final. Its address and token end at once; it is listed as `deleting` until its replicas have ended. `DELETE /feather/private-cloud/deployments/{id}` */
    delete(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.delete">>;
    /** Open the console. A link for somebody without an account here. It works once, within fifteen minutes; see `deployments.redeemLogin`. `POST /feather/private-cloud/deployments/{id}/login` */
    login(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.login">>;
    /** List providers. Places where deployments can run. `GET /feather/private-cloud/deployment-providers` */
    providers(options?: RequestOptions): ApiPromise<Result<"deployments.providers">>;
    /** Read logs. The last lines of its replicas, or, with `accept: text/event-stream`, also those that follow. Lines hold no prompts. The last thousand are kept, as long as the server runs. `GET /feather/private-cloud/deployments/{id}/logs` */
    logs(id: string, query: Query<"deployments.logs"> | undefined, options: Streamed): ApiPromise<StreamOf<"deployments.logs">>;
    /** Read logs. The last lines of its replicas, or, with `accept: text/event-stream`, also those that follow. Lines hold no prompts. The last thousand are kept, as long as the server runs. `GET /feather/private-cloud/deployments/{id}/logs` */
    logs(id: string, query?: Query<"deployments.logs">, options?: RequestOptions): ApiPromise<Result<"deployments.logs">>;
    /** List events. Changes of state, newest first. `GET /feather/private-cloud/deployments/{id}/events` */
    events(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.events">>;
    /** List replicas. What runs of it just now. After a change, replicas of the generation before go on until the new ones answer. `GET /feather/private-cloud/deployments/{id}/replicas` */
    replicas(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.replicas">>;
    /** Get metrics. Requests and speed over time. `GET /feather/private-cloud/deployments/{id}/metrics` */
    metrics(id: string, query?: Query<"deployments.metrics">, options?: RequestOptions): ApiPromise<Result<"deployments.metrics">>;
    /** Pause. Stops all replicas and keeps the settings. `POST /feather/private-cloud/deployments/{id}/pause` */
    pause(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.pause">>;
    /** Resume. Starts a paused deployment. `POST /feather/private-cloud/deployments/{id}/resume` */
    resume(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.resume">>;
    /** Replace the token. Gives the deployment a new token. The one before ends at once. `POST /feather/private-cloud/deployments/{id}/token` */
    rotateToken(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.rotateToken">>;
    /** Use a link to a console. Exchanges the token of a link made by `deployments.login` for one that opens the deployment for an hour. A link works once, whoever uses it. `POST /feather/private-cloud/deployment-logins` */
    redeemLogin(body: Body<"deployments.redeemLogin">, options?: RequestOptions): ApiPromise<Result<"deployments.redeemLogin">>;
    /** List the model of a deployment. The one model that runs there, in OpenAI's form. `GET /deployments/{id}/v1/models` */
    models(id: string, options?: RequestOptions): ApiPromise<Result<"deployments.models">>;
    chat: {
      completions: {
        /** Answer a conversation on a deployment. Like the call of the same name below /v1, answered by its own replicas, whatever `model` says; it holds no units of the plan. Send the token of the deployment, or a key of its organization. One that is scaled to zero is started: see `x-wait-for-model`. `POST /deployments/{id}/v1/chat/completions` */
        create(id: string, body: Streaming<Body<"deployments.chat.completions.create">>, options?: RequestOptions): ApiPromise<StreamOf<"deployments.chat.completions.create">>;
        /** Answer a conversation on a deployment. Like the call of the same name below /v1, answered by its own replicas, whatever `model` says; it holds no units of the plan. Send the token of the deployment, or a key of its organization. One that is scaled to zero is started: see `x-wait-for-model`. `POST /deployments/{id}/v1/chat/completions` */
        create(id: string, body: Whole<Body<"deployments.chat.completions.create">>, options?: RequestOptions): ApiPromise<Result<"deployments.chat.completions.create">>;
      };
    };
    completions: {
      /** Continue a text on a deployment. Like the call of the same name below /v1, answered by its own replicas, whatever `model` says; it holds no units of the plan. Send the token of the deployment, or a key of its organization. One that is scaled to zero is started: see `x-wait-for-model`. `POST /deployments/{id}/v1/completions` */
      create(id: string, body: Streaming<Body<"deployments.completions.create">>, options?: RequestOptions): ApiPromise<StreamOf<"deployments.completions.create">>;
      /** Continue a text on a deployment. Like the call of the same name below /v1, answered by its own replicas, whatever `model` says; it holds no units of the plan. Send the token of the deployment, or a key of its organization. One that is scaled to zero is started: see `x-wait-for-model`. `POST /deployments/{id}/v1/completions` */
      create(id: string, body: Whole<Body<"deployments.completions.create">>, options?: RequestOptions): ApiPromise<Result<"deployments.completions.create">>;
    };
    embeddings: {
      /** Embed texts on a deployment. Like the call of the same name below /v1, answered by its own replicas, whatever `model` says; it holds no units of the plan. Send the token of the deployment, or a key of its organization. One that is scaled to zero is started: see `x-wait-for-model`. `POST /deployments/{id}/v1/embeddings` */
      create(id: string, body: Body<"deployments.embeddings.create">, options?: RequestOptions): ApiPromise<Result<"deployments.embeddings.create">>;
    };
  };
  applications: {
    /** List applications. Those registered by the organization. `GET /application` */
    list(options?: RequestOptions): ApiPromise<Result<"applications.list">>;
    /** Register an application. Answers its secret, this one time; public applications have none. Where applications are reviewed it starts `pending`, otherwise `active`. `POST /application` */
    create(body: Body<"applications.create">, options?: RequestOptions): ApiPromise<Result<"applications.create">>;
    /** Get an application. One of the organization. `GET /application/{id}` */
    get(id: string, options?: RequestOptions): ApiPromise<Result<"applications.get">>;
    /** Change an application. Changes the given fields. Scopes taken away end in its tokens at once. Where applications are reviewed, a change of name, redirect addresses or scopes puts it back to `pending`. `PUT /application/{id}` */
    update(id: string, body: Body<"applications.update">, options?: RequestOptions): ApiPromise<Result<"applications.update">>;
    /** Delete an application. Ends all its tokens. `DELETE /application/{id}` */
    delete(id: string, options?: RequestOptions): ApiPromise<Result<"applications.delete">>;
    /** Make a new secret. The old one goes on for 24 hours; one older than that ends. Public applications have none. `POST /application/{id}/regenerate-secret` */
    regenerateSecret(id: string, options?: RequestOptions): ApiPromise<Result<"applications.regenerateSecret">>;
    /** Change the status. Owners switch between `active` and `inactive`; admins may set any status of any application. Tokens of an application that is not active are refused at once, and hold again when it is active again. `PUT /application/{id}/status` */
    setStatus(id: string, body: Body<"applications.setStatus">, options?: RequestOptions): ApiPromise<Result<"applications.setStatus">>;
  };
  oauth: {
    /** Get what the consent screen shows. The public part of an active application and the permissions it asks for. `GET /oauth/applications/{id}` */
    application(id: string, query?: Query<"oauth.application">, options?: RequestOptions): ApiPromise<Result<"oauth.application">>;
    /** Decide on a consent. Answers where to send the browser: with a code that works once within 60 seconds, or with an error. Where the application or its redirect address cannot be trusted the answer is 400, and the browser is sent nowhere. Public applications need PKCE with S256. Parameters that are not known are ignored, as RFC 6749 says. `POST /oauth/authorize` */
    authorize(body: Body<"oauth.authorize">, options?: RequestOptions): ApiPromise<Result<"oauth.authorize">>;
    /** Get tokens. RFC 6749: by code with PKCE, by refresh token (which is replaced), or by device code (RFC 8628). Confidential applications send their secret in the Authorization header or in the body; public ones send `client_id` alone. A code or refresh token that is presented twice ends all tokens that came from it. `POST /oauth/token` */
    token(body: Body<"oauth.token">, options?: RequestOptions): ApiPromise<Result<"oauth.token">>;
    /** Get the user of a token. OpenID-style facts; the e-mail only with `user.read`. Any token of the user will do. `GET /oauth/userinfo` */
    userinfo(options?: RequestOptions): ApiPromise<Result<"oauth.userinfo">>;
    /** Revoke a token. RFC 7009: answers the same whether the token was known or not. A refresh token takes with it all tokens that came from the same sign-in. `POST /oauth/revoke` */
    revoke(body: Body<"oauth.revoke">, options?: RequestOptions): ApiPromise<Result<"oauth.revoke">>;
    /** Begin a device sign-in. RFC 8628: for programs without a browser. They show `user_code`, which the user enters at `verification_uri`, and ask `/oauth/token` every `interval` seconds. `POST /oauth/device` */
    device(body: Body<"oauth.device">, options?: RequestOptions): ApiPromise<Result<"oauth.device">>;
    /** Get what a device asks for. By the code it shows. Whoever asks first is the only one who may decide. `GET /oauth/device/verify` */
    deviceRequest(query: Query<"oauth.deviceRequest">, options?: RequestOptions): ApiPromise<Result<"oauth.deviceRequest">>;
    /** Decide on a device sign-in. With the code the device shows. A code is decided on once. `POST /oauth/device/verify` */
    verifyDevice(body: Body<"oauth.verifyDevice">, options?: RequestOptions): ApiPromise<Result<"oauth.verifyDevice">>;
    /** Describe the OAuth provider. RFC 8414. Also answers at the root of the site, without `/api`. `GET /.well-known/oauth-authorization-server` */
    metadata(options?: RequestOptions): ApiPromise<Result<"oauth.metadata">>;
  };
  admin: {
    users: {
      /** List users. Everybody with an account, newest first unless sorted otherwise. `GET /admin/users` */
      list(query?: Query<"admin.users.list">, options?: RequestOptions): PagedPromise<Result<"admin.users.list">>;
      /** Get a user. The user with this id, as the list shows it. `GET /admin/users/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"admin.users.get">>;
      /** Change a user. Suspends (sessions end and keys stop at once) or lets in again, makes admin or not, confirms the e-mail, or grants a plan without payment. A plan that the organization pays for ends with that; what was paid for the rest of its period is kept for its next invoices, and it is told by mail. The last admin stays one, and nobody suspends themselves. `PUT /admin/users/{id}` */
      update(id: string, body: Body<"admin.users.update">, options?: RequestOptions): ApiPromise<Result<"admin.users.update">>;
      /** Take a user's second factor away. For somebody who lost it and the recovery codes: the authenticator app, all passkeys and the codes end, they log in without them from then on, and are told by mail. Their sessions end. Needs the admin's own password, or a recent sign-in where there is none; nobody does it to themselves. `DELETE /admin/users/{id}/second-factor` */
      resetSecondFactor(id: string, body: Body<"admin.users.resetSecondFactor">, options?: RequestOptions): ApiPromise<Result<"admin.users.resetSecondFactor">>;
      /** Let in an account that waits for approval. The person is told by mail and can log in from then on. `POST /admin/users/{id}/approve` */
      approve(id: string, options?: RequestOptions): ApiPromise<Result<"admin.users.approve">>;
      /** Refuse an account that waits for approval. Deletes the account, which has done nothing yet. The person is told by mail, with the reason where one is given. `POST /admin/users/{id}/refuse` */
      refuse(id: string, body: Body<"admin.users.refuse">, options?: RequestOptions): ApiPromise<Result<"admin.users.refuse">>;
      /** Act as a user. Gives the admin a session of the user for 30 minutes at most, as the cookie, or as a token for programs that ask for one. It cannot be renewed. Payments, password, e-mail, keys and deletion stay closed, and every request is written into the audit log with both names. The admin must have logged in within the last 15 minutes, or send the password. Neither oneself nor another admin can be chosen. `POST /admin/users/{id}/impersonate` */
      impersonate(id: string, body: Body<"admin.users.impersonate">, options?: RequestOptions): ApiPromise<Result<"admin.users.impersonate">>;
      /** Ask what granting a plan ends. The plan that the user's organization pays for, which ends when it is granted another, and what is given back for it. Nothing is changed. `GET /admin/users/{id}/plan-grant` */
      previewGrant(id: string, options?: RequestOptions): ApiPromise<Result<"admin.users.previewGrant">>;
      /** Grant credits. Adds to the credits of the user's organization, or takes some of them when the amount is below zero: never more than are available. The reason stands in the audit log and in the organization's transactions. `POST /admin/users/{id}/credits` */
      grantCredits(id: string, body: Body<"admin.users.grantCredits">, options?: RequestOptions): ApiPromise<Result<"admin.users.grantCredits">>;
      /** Say how referrals are rewarded. Commission makes the user an affiliate; credits are what everybody gets. It holds for payments from now on. `PUT /admin/users/{id}/referral-reward` */
      setReferralReward(id: string, body: Body<"admin.users.setReferralReward">, options?: RequestOptions): ApiPromise<Result<"admin.users.setReferralReward">>;
    };
    invitations: {
      /** List invitations to the platform. Those not used yet, newest first, also those whose link has ended. `GET /admin/invitations` */
      list(query?: Query<"admin.invitations.list">, options?: RequestOptions): PagedPromise<Result<"admin.invitations.list">>;
      /** Invite somebody to the platform. Sends a link with which they make an account for this e-mail, once, within seven days. The link is also returned, this one time, to be handed over in another way. Inviting an address again ends its earlier link. `POST /admin/invitations` */
      create(body: Body<"admin.invitations.create">, options?: RequestOptions): ApiPromise<Result<"admin.invitations.create">>;
      /** Withdraw an invitation to the platform. Its link stops working. `DELETE /admin/invitations/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"admin.invitations.delete">>;
    };
    /** Stop acting as a user. Ends the session of the user. In a browser the cookie becomes that of the admin's own session again. `DELETE /admin/impersonation` */
    stopImpersonation(options?: RequestOptions): ApiPromise<Result<"admin.stopImpersonation">>;
    models: {
      /** List models. All, with those not shown to users. `GET /admin/models` */
      list(query?: Query<"admin.models.list">, options?: RequestOptions): PagedPromise<Result<"admin.models.list">>;
      /** Create a model. Adds a model to the catalogue. With `model_class` it is as given; without, it is read from the model hub, and 409 `model_class_ambiguous` names the candidates where more than one class fits. `POST /admin/models` */
      create(body: Body<"admin.models.create">, options?: RequestOptions): ApiPromise<Result<"admin.models.create">>;
      /** Import models. Reads models from the model hub into the catalogue. Those that are there already are read anew. A result for each id. `POST /admin/models/import` */
      import(body: Body<"admin.models.import">, options?: RequestOptions): ApiPromise<Result<"admin.models.import">>;
      /** List requested models. Models that organizations ask for, the most wanted first, with who asks. What becomes of a request is up to the admins; nothing is deployed by itself. `GET /admin/model-requests` */
      requests(query?: Query<"admin.models.requests">, options?: RequestOptions): PagedPromise<Result<"admin.models.requests">>;
      /** Get a model. As admins see it. `GET /admin/models/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"admin.models.get">>;
      /** Change a model. Changes the given fields. `PUT /admin/models/{id}` */
      update(id: string, body: Body<"admin.models.update">, options?: RequestOptions): ApiPromise<Result<"admin.models.update">>;
      /** Delete a model. Takes a model out of the catalogue, with its reviews. What was used of it stays in the reports. 409 while a backend runs it. `DELETE /admin/models/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"admin.models.delete">>;
      /** Redeploy a model. Unloads a model that runs on this machine and loads it again. 409 where nothing here can run it. `POST /admin/models/{id}/redeploy` */
      redeploy(id: string, options?: RequestOptions): ApiPromise<Result<"admin.models.redeploy">>;
    };
    deployments: {
      /** List deployments. Of all organizations. `GET /admin/deployments` */
      list(query?: Query<"admin.deployments.list">, options?: RequestOptions): PagedPromise<Result<"admin.deployments.list">>;
      /** Get a deployment. Of any organization. `GET /admin/deployments/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"admin.deployments.get">>;
      /** Redeploy many. Replaces all replicas, one after the other. A result for each id. `POST /admin/deployments/redeploy` */
      redeploy(body: Body<"admin.deployments.redeploy">, options?: RequestOptions): ApiPromise<Result<"admin.deployments.redeploy">>;
    };
    prices: {
      /** Add a price. Sets what metered plans pay for a model, a class or a size, from now or a later moment on. Past prices never change: requests stay charged by the price of their time. `POST /admin/base-models/{model}/prices` */
      create(model: string, body: Body<"admin.prices.create">, options?: RequestOptions): ApiPromise<Result<"admin.prices.create">>;
      /** List prices. Past, present and future prices, the latest to take effect first. `GET /admin/prices` */
      list(query?: Query<"admin.prices.list">, options?: RequestOptions): PagedPromise<Result<"admin.prices.list">>;
    };
    /** Report usage. Requests, tokens and cost, grouped. Reads only. The times are widened to whole hours. `POST /admin/usage` */
    usage(body: Body<"admin.usage">, options?: RequestOptions): ApiPromise<Result<"admin.usage">>;
    backends: {
      /** List backends. With their health. `GET /admin/backends` */
      list(options?: RequestOptions): ApiPromise<Result<"admin.backends.list">>;
      /** Add a backend. An OpenAI-compatible address. One that is not public is refused unless the setting FEATHER_OUTGOING_ALLOW names it; backends of FEATHER_BACKENDS and those found on this machine need no such leave. `POST /admin/backends` */
      create(body: Body<"admin.backends.create">, options?: RequestOptions): ApiPromise<Result<"admin.backends.create">>;
      /** Get a backend. With its health. Those of the settings and those found on this machine have their name as id. `GET /admin/backends/{id}` */
      get(id: string, options?: RequestOptions): ApiPromise<Result<"admin.backends.get">>;
      /** Change a backend. Only those added here. `PUT /admin/backends/{id}` */
      update(id: string, body: Body<"admin.backends.update">, options?: RequestOptions): ApiPromise<Result<"admin.backends.update">>;
      /** Remove a backend. Only those added here. `DELETE /admin/backends/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"admin.backends.delete">>;
      /** Try a backend. Asks it for its models. `POST /admin/backends/{id}/test` */
      test(id: string, options?: RequestOptions): ApiPromise<Result<"admin.backends.test">>;
    };
    /** Read the outbox. Every message of the last 30 days, newest first. Without a mail server they wait here. What opens a door in a message is hidden: admin.revealMessage shows it. `GET /admin/outbox` */
    outbox(query?: Query<"admin.outbox">, options?: RequestOptions): PagedPromise<Result<"admin.outbox">>;
    /** Read a message with its link. The text of a message in the outbox with links that still work, to be handed over where no mail server is set up; where one is, nobody is shown it. Needs the admin's password, or a recent sign-in where there is none, and is written into the audit log. `POST /admin/outbox/{id}/reveal` */
    revealMessage(id: string, body: Body<"admin.revealMessage">, options?: RequestOptions): ApiPromise<Result<"admin.revealMessage">>;
    /** Read the audit log. Newest first. Each row holds a hash over itself and the row before, so that a change shows; `verify-audit` on the server checks the chain. `GET /admin/audit` */
    audit(query?: Query<"admin.audit">, options?: RequestOptions): PagedPromise<Result<"admin.audit">>;
    /** See the settings. What is set and what each setting is for, and what is open to other machines; secrets are not shown. `GET /admin/settings` */
    settings(options?: RequestOptions): ApiPromise<Result<"admin.settings">>;
    /** List applications. Of all organizations, newest first. `PUT /application/{id}/status` decides on one. `GET /admin/applications` */
    applications(query?: Query<"admin.applications">, options?: RequestOptions): PagedPromise<Result<"admin.applications">>;
    reviews: {
      /** List reported reviews. For moderation. By default those with reports that no admin has decided about. `GET /admin/reviews` */
      list(query?: Query<"admin.reviews.list">, options?: RequestOptions): PagedPromise<Result<"admin.reviews.list">>;
      /** Hide or show a review. Hidden reviews are shown to nobody but their author and count for nothing. This decides about all reports so far. `PUT /admin/reviews/{id}` */
      update(id: string, body: Body<"admin.reviews.update">, options?: RequestOptions): ApiPromise<Result<"admin.reviews.update">>;
    };
    reviewTags: {
      /** Set the tags of reviews. Replaces the list. Reviews keep tags that are no longer in it. `PUT /admin/review-tags` */
      update(body: Body<"admin.reviewTags.update">, options?: RequestOptions): ApiPromise<Result<"admin.reviewTags.update">>;
    };
    routeRules: {
      /** List redirect rules. In the order in which they are looked at. `GET /admin/route-rules` */
      list(options?: RequestOptions): ApiPromise<Result<"admin.routeRules.list">>;
      /** Add a redirect rule. A rule that would send a path to itself is refused. `POST /admin/route-rules` */
      create(body: Body<"admin.routeRules.create">, options?: RequestOptions): ApiPromise<Result<"admin.routeRules.create">>;
      /** Change a redirect rule. Replaces it; another position moves it among the others. `PUT /admin/route-rules/{id}` */
      update(id: string, body: Body<"admin.routeRules.update">, options?: RequestOptions): ApiPromise<Result<"admin.routeRules.update">>;
      /** Remove a redirect rule. At once. `DELETE /admin/route-rules/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"admin.routeRules.delete">>;
    };
    incidents: {
      /** Tell of an incident. On the status page. `POST /admin/incidents` */
      create(body: Body<"admin.incidents.create">, options?: RequestOptions): ApiPromise<Result<"admin.incidents.create">>;
      /** Update an incident. `resolved` closes it. `PUT /admin/incidents/{id}` */
      update(id: string, body: Body<"admin.incidents.update">, options?: RequestOptions): ApiPromise<Result<"admin.incidents.update">>;
      /** Take an incident back. For those told of by mistake; others are resolved. `DELETE /admin/incidents/{id}` */
      delete(id: string, options?: RequestOptions): ApiPromise<Result<"admin.incidents.delete">>;
    };
    coupons: {
      /** List coupons. Those that ended too. `GET /admin/coupons` */
      list(options?: RequestOptions): ApiPromise<Result<"admin.coupons.list">>;
      /** Make a coupon. Either percent or amount off. Its code must be new, also in other letter case. `POST /admin/coupons` */
      create(body: Body<"admin.coupons.create">, options?: RequestOptions): ApiPromise<Result<"admin.coupons.create">>;
      /** Change a coupon. Until when and how often it may be used, for which plans, and whether it is the retention offer. `PUT /admin/coupons/{code}` */
      update(code: string, body: Body<"admin.coupons.update">, options?: RequestOptions): ApiPromise<Result<"admin.coupons.update">>;
      /** End a coupon. Those who have it keep it. `DELETE /admin/coupons/{code}` */
      delete(code: string, options?: RequestOptions): ApiPromise<Result<"admin.coupons.delete">>;
    };
    invoices: {
      /** List all invoices. Newest first, those of deleted organizations too. `GET /admin/invoices` */
      list(query?: Query<"admin.invoices.list">, options?: RequestOptions): PagedPromise<Result<"admin.invoices.list">>;
      /** Ask what can be given back. How much of an invoice can be given back, and which plan would end with it. Credits that came with the invoice are taken away again, so no more is given back than is left of them. Nothing is changed. `GET /admin/invoices/{id}/refund` */
      previewRefund(id: string, options?: RequestOptions): ApiPromise<Result<"admin.invoices.previewRefund">>;
      /** Give money back. What was paid for an invoice, or a part of it. Credits that came with it are taken away again: once they are spent, no more can be given back than is left of them. Commission that was earned by it is lost in proportion. An invoice that pays for the running period of a plan ends the plan when all of it is given back, unless `end_plan` says otherwise. `POST /admin/invoices/{id}/refund` */
      refund(id: string, body?: Body<"admin.invoices.refund">, options?: RequestOptions): ApiPromise<Result<"admin.invoices.refund">>;
    };
    plans: {
      /** List all plans. Those that are not on sale too. `GET /admin/plans` */
      list(options?: RequestOptions): ApiPromise<Result<"admin.plans.list">>;
      /** Make a plan. A new one, on sale at once unless `is_public` is false. What is not given is not limited, but for private models, of which there are none then. `POST /admin/plans` */
      create(body: Body<"admin.plans.create">, options?: RequestOptions): ApiPromise<Result<"admin.plans.create">>;
      /** Change a plan. Limits hold at once. A price or an interval holds for those who buy from now on; who bought before keeps theirs until the price is announced to them. A plan that somebody pays for keeps a price, and one that somebody is on keeps its billing mode. `PUT /admin/plans/{id}` */
      update(id: string, body: Body<"admin.plans.update">, options?: RequestOptions): ApiPromise<Result<"admin.plans.update">>;
      /** Announce the price to those who pay another. Whoever bought the plan at another price or interval keeps it until this is called. Each of them gets a message now, and pays the present price from the first period that begins 30 days later or after that. Called again, it tells nobody twice. `POST /admin/plans/{id}/announce-price` */
      announcePrice(id: string, options?: RequestOptions): ApiPromise<Result<"admin.plans.announcePrice">>;
    };
    subscriptions: {
      /** List subscriptions that wait for an admin. Subscriptions that are more than one period behind, after a long downtime or under a wrong clock. Nobody is charged for them until an admin lets them go on. The longest first; at most 500. `GET /admin/subscriptions/held` */
      held(options?: RequestOptions): ApiPromise<Result<"admin.subscriptions.held">>;
      /** Let a held subscription go on. Its next period begins now and is charged within minutes. What was missed before is never charged. Yearly plans are announced first, and charged seven days later. `POST /admin/subscriptions/{id}/resume-renewal` */
      resumeRenewal(id: string, options?: RequestOptions): ApiPromise<Result<"admin.subscriptions.resumeRenewal">>;
    };
    store: {
      pulls: {
        /** List downloads. Of model files to this machine. `GET /admin/store/pulls` */
        list(options?: RequestOptions): ApiPromise<Result<"admin.store.pulls.list">>;
        /** Download a model. Fetches a GGUF file from the hub, checks its checksum, and makes the model callable. Resumes what was stopped before. `POST /admin/store/pulls` */
        create(body: Body<"admin.store.pulls.create">, options?: RequestOptions): ApiPromise<Result<"admin.store.pulls.create">>;
        /** Stop a download. What came is kept, to resume. `DELETE /admin/store/pulls/{id}` */
        cancel(id: string, options?: RequestOptions): ApiPromise<Result<"admin.store.pulls.cancel">>;
      };
    };
  };
  health: {
    /** Is it alive?. Answers as long as the process runs. `GET /health/live` */
    live(options?: RequestOptions): ApiPromise<Result<"health.live">>;
    /** Is it ready?. Whether it can work: it has started, with the built-in models loaded; the database responds; and it is not about to stop. `GET /health/ready` */
    ready(options?: RequestOptions): ApiPromise<Result<"health.ready">>;
  };
  system: {
    /** Get this document. The contract the server is bound to. `GET /openapi.json` */
    openapi(options?: RequestOptions): ApiPromise<Result<"system.openapi">>;
    /** Get settings of the site. What the site needs to know before it draws. `GET /config` */
    config(options?: RequestOptions): ApiPromise<Result<"system.config">>;
    /** Look up redirects. Rules that hold for a path of the site and for the caller, the first one to be used first. `GET /route-rules` */
    routeRules(query: Query<"system.routeRules">, options?: RequestOptions): ApiPromise<Result<"system.routeRules">>;
  };
}
