package stack

import (
	"cmp"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Finder tells where a program is installed.
type Finder func(name string) (path string, found bool)

// FindInstalled looks where packages put servers, newest version first, and then in PATH. PATH comes
// last because Debian's rabbitmq-server there is a wrapper that refuses to run for ordinary users.
func FindInstalled(name string) (string, bool) {
	for _, folder := range packageFolders() {
		matches, err := filepath.Glob(filepath.Join(folder, name))
		if err == nil && len(matches) > 0 {
			return slices.MaxFunc(matches, byVersion), true
		}
	}
	path, err := exec.LookPath(name)
	return path, err == nil
}

func packageFolders() []string {
	folders := []string{"/usr/lib/postgresql/*/bin", "/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin"}
	for _, brew := range []string{"/opt/homebrew", "/usr/local"} {
		folders = append(folders,
			filepath.Join(brew, "opt/postgresql*/bin"),
			filepath.Join(brew, "opt/rabbitmq/sbin"),
			filepath.Join(brew, "opt/erlang/bin"),
			filepath.Join(brew, "opt/redis/bin"),
			filepath.Join(brew, "bin"))
	}
	return folders
}

// byVersion orders paths by the numbers in them, so that 9 comes before 15.
func byVersion(a, b string) int {
	return cmp.Or(slices.Compare(numbers(a), numbers(b)), strings.Compare(a, b))
}

func numbers(path string) []int {
	var found []int
	for digits := range strings.FieldsFuncSeq(path, func(r rune) bool { return r < '0' || r > '9' }) {
		if number, err := strconv.Atoi(digits); err == nil {
			found = append(found, number)
		}
	}
	return found
}

// versionIn picks the version out of a program's own words, or out of a path that carries it.
func versionIn(text string) string {
	return regexp.MustCompile(`\d+(\.\d+)+`).FindString(text)
}
