package stripetest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
)

// A logFile holds entries as lines of JSON. An entry is written by one call before it is answered:
// the kernel has it then, and killing the process takes nothing back. A nil logFile is the bank that
// lives in memory: it accepts everything and keeps nothing.
type logFile struct {
	file *os.File
	size atomic.Int64 // Of the whole lines.
	torn error        // Set when a half-written line could not be taken back: nothing may follow it.

	sync    bool
	syncing sync.Mutex // Held during an fsync, so that those who wait share the next one.
	synced  int64
	lost    error // Set when an fsync failed: what it covered may be gone.
}

// openLog applies every entry of the file and leaves it open for more.
func openLog(path string, sync bool, apply func(entry)) (*logFile, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600) //nolint:gosec // The operator names it.
	if err != nil {
		return nil, err
	}
	l := &logFile{file: file, sync: sync, synced: -1} // Below any size: what is there may be fresh.
	if err := errors.Join(l.restore(apply), l.syncName()); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return l, nil
}

// restore reads the file up to the last whole line. What follows was never answered: cut it off.
func (l *logFile) restore(apply func(entry)) error {
	if err := syscall.Flock(int(l.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("in use by another process: %w", err)
	}
	lines, size := bufio.NewReader(l.file), int64(0)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("line %d is no entry: %w", number, err)
		}
		apply(e)
		size += int64(len(line))
	}
	l.size.Store(size)
	return l.file.Truncate(size)
}

// syncName makes sure that a power cut does not take the file's name from its folder.
func (l *logFile) syncName() error {
	if !l.sync {
		return nil
	}
	folder, err := os.Open(filepath.Dir(l.file.Name()))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// append writes one entry. The caller's lock keeps the lines in order.
func (l *logFile) append(e entry) error {
	if l == nil {
		return nil
	}
	if l.torn != nil {
		return l.torn
	}
	line := append(encode(e), '\n')
	if _, err := l.file.Write(line); err != nil {
		l.torn = l.file.Truncate(l.size.Load())
		return err
	}
	l.size.Add(int64(len(line)))
	return nil
}

// flush returns when everything written before is as safe as was asked for. Reads call it as well:
// no answer may show what a power cut could take back.
func (l *logFile) flush() error {
	if l == nil || !l.sync {
		return nil
	}
	wanted := l.size.Load()
	l.syncing.Lock()
	defer l.syncing.Unlock()
	if l.lost != nil || l.synced >= wanted {
		return l.lost
	}
	covered := l.size.Load()
	if l.lost = l.file.Sync(); l.lost == nil {
		l.synced = covered
	}
	return l.lost
}

// empty forgets all entries.
func (l *logFile) empty() error {
	if l == nil {
		return nil
	}
	l.syncing.Lock()
	defer l.syncing.Unlock()
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	l.size.Store(0)
	l.synced, l.torn = -1, nil // Below any size, so that the emptiness itself is flushed.
	return nil
}

func (l *logFile) close() error {
	if l == nil {
		return nil
	}
	// A child that is just being started may hold a copy of the file: closing ours would not free the lock.
	return errors.Join(syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN), l.file.Close())
}
