/**
 * The version of the protocol between replicas: their calls, their messages, and the headers of forwarded requests. Increase
 * it with each change that the previous version would misread; replicas of different versions refuse each other.
 */
export const PEER_VERSION = 1;
