// Where the page stands among sessions, as the path of its address.

export interface SessionPlace {
  /** Empty: the list of them all. */
  session: string;
}

export function sessionPlace(path: string): SessionPlace | null {
  const [, first, session = "", ...rest] = path.split("/");
  if (first !== "sessions" || rest.length > 0) return null;
  try {
    return { session: decodeURIComponent(session) };
  } catch {
    return { session }; // no session is called that; the server says so
  }
}

export const sessionPath = (id: string) => `/sessions/${encodeURIComponent(id)}`;
