// The addresses of sessions.

export const sessionPath = (id: string) => `/studio/run/${encodeURIComponent(id)}`;
