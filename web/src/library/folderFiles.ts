// A folder that was dropped or chosen becomes a ZIP here, of its notes alone: nothing else leaves the computer.

export interface FolderFile {
  path: string;
  file: File;
}

export interface Packed {
  archive: File;
  notes: number;
  /** How many files were left at home, and why. */
  others: number;
  hidden: number;
}

const NOTE = /\.(md|markdown|mdx)$/i;
/** Names nobody writes notes under, as the server passes over them too. */
const PASSED_OVER = /(^|\/)(\.[^/]*|node_modules|dist|build|__MACOSX)(\/|$)/;

export interface Sorted {
  notes: FolderFile[];
  others: number;
  hidden: number;
}

export function sortFiles(files: FolderFile[]): Sorted {
  const seen = files.filter(({ path }) => !PASSED_OVER.test(path.split("/").slice(1).join("/") || path));
  const notes = seen.filter(({ path }) => NOTE.test(path));
  return { notes, others: seen.length - notes.length, hidden: files.length - seen.length };
}

/** In this thread, a note at a time: what the page may load leaves no room for workers made of text. */
export async function packFolder(files: FolderFile[], told: (done: number, of: number) => void): Promise<Packed | null> {
  const { notes, others, hidden } = sortFiles(files);
  if (notes.length === 0) return null;
  const { Zip, ZipDeflate } = await import("fflate");
  const pieces: BlobPart[] = [];
  const archive = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece as BlobPart);
  });
  for (const [index, { path, file }] of notes.entries()) {
    told(index, notes.length);
    const entry = new ZipDeflate(path, { level: 6 });
    archive.add(entry);
    entry.push(new Uint8Array(await file.arrayBuffer()), true);
  }
  archive.end();
  const top = notes[0]!.path.includes("/") ? notes[0]!.path.slice(0, notes[0]!.path.indexOf("/")) : notes[0]!.path.replace(NOTE, "");
  return { archive: new File(pieces, `${top}.zip`, { type: "application/zip" }), notes: notes.length, others, hidden };
}

export const chosenFiles = (list: FileList): FolderFile[] => [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

/** Everything below what was dropped. A folder gives its entries a hundred at a time. */
export async function droppedFiles(items: DataTransferItemList): Promise<FolderFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const found: FolderFile[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    const path = entry.fullPath.replace(/^\//, "");
    if (entry.isFile) {
      found.push({ path, file: await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)) });
      return;
    }
    if (PASSED_OVER.test(path.split("/").slice(1).join("/"))) return;
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (part.length === 0) return;
      for (const inner of part) await walk(inner);
    }
  };
  for (const entry of entries) await walk(entry);
  return found;
}

/** An address of GitHub as a person writes it; null where it is none. */
export function githubAddress(text: string): string | null {
  const found = /^(?:https?:\/\/)?(?:www\.)?github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/i.exec(text.trim());
  return found ? `https://github.com/${found[1]}/${found[2]}` : null;
}
