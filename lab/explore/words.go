package explore

import (
	"fmt"

	"example.com/doublecharge/payments"
)

// Line is one event of a schedule in words of the domain.
type Line struct {
	Event Event  `json:"event"`
	EN    string `json:"en"`
	TR    string `json:"tr"`
	Detail
}

// Outcomes runs one schedule and gives what it leaves of each order. An error names the first event that
// cannot happen.
func Outcomes(maker Maker, schedule Schedule) ([]Outcome, error) {
	told, err := play(maker, schedule)
	return told.state.outcomes(), err
}

// Tell runs one schedule and tells it.
func Tell(maker Maker, schedule Schedule) ([]Line, error) {
	told, err := play(maker, schedule)
	return told.lines, err
}

// telling is a schedule that is told while it is played.
type telling struct {
	rules rules
	state state
	lines []Line
}

// play runs one schedule in a world in which anything may go wrong.
func play(maker Maker, schedule Schedule) (*telling, error) {
	stage := NewStage(maker, 2)
	t := &telling{rules: stage.rules, state: stage.state}
	for i, event := range schedule {
		if err := t.tell(event); err != nil {
			return t, fmt.Errorf("event %d of the schedule: %w", i+1, err)
		}
	}
	return t, nil
}

func (t *telling) tell(event Event) error {
	before := t.state
	after, err := t.rules.after(before, event)
	if err != nil {
		return err
	}
	en, tr := words(before, after, event, t.rules.last)
	t.lines = append(t.lines, Line{event, en, tr, detailOf(before, after, event, t.rules.last)})
	t.state = after
	return nil
}

// rest tells what the workers do until nothing is on its way, when nothing more goes wrong.
func (t *telling) rest() ([]Line, error) {
	told := len(t.lines)
	for !t.state.quiet() {
		// What workers do comes first among the possible, and somebody can always go on.
		if err := t.tell(t.rules.possible(t.state)[0]); err != nil {
			return nil, err
		}
	}
	return append([]Line{}, t.lines[told:]...), nil
}

// words tells an event, knowing the state before and after it.
func words(before, after state, e Event, a answer) (en, tr string) {
	i, v, how := e.split()
	if i < 0 {
		return around(e)
	}
	who := fmt.Sprintf("worker %d", i+1)
	w := before.workers[i]
	switch v {
	case deliver:
		return delivered(before.queue[0], who)
	case crashes:
		return who + " is killed before it can ack", who + " ack'leyemeden öldürülür"
	case pay:
		return charged(before, after, w, who, how)
	case ack:
		return who + " acks", who + " ack'ler"
	default:
		return looked(a, v, how, who)
	}
}

func around(e Event) (en, tr string) {
	switch e {
	case duplicate:
		return "the message is published once more, with the same id", "mesaj aynı id ile bir kez daha yayımlanır"
	case forget:
		return "a day goes by: the bank forgets its keys", "bir gün geçer: banka anahtarları unutur"
	case leaseEnd:
		return "the lease ends while its holder is still at work", "lease, sahibi hâlâ çalışırken dolar"
	case flush:
		return "Redis is flushed", "Redis boşaltılır"
	default:
		return "the customer buys the same thing again, honestly", "müşteri aynı şeyi gerçekten ikinci kez alır"
	}
}

func delivered(m message, who string) (en, tr string) {
	order := m.order + 1
	switch {
	case m.redelivered:
		return fmt.Sprintf("the broker delivers order %d again, to %s", order, who),
			fmt.Sprintf("broker sipariş %d mesajını yeniden teslim eder: %s", order, who)
	case m.attempt > 1:
		return fmt.Sprintf("the retry of order %d reaches %s", order, who),
			fmt.Sprintf("sipariş %d için retry gelir: %s", order, who)
	default:
		return fmt.Sprintf("the broker delivers order %d to %s", order, who),
			fmt.Sprintf("broker sipariş %d mesajını teslim eder: %s", order, who)
	}
}

func charged(before, after state, w worker, who, how string) (en, tr string) {
	order := w.message.order
	n := after.bank.count(order)
	isNew := n > before.bank.count(order)
	switch {
	case how == never:
		return who + "'s request is lost on its way to the bank", who + ": istek bankaya ulaşmadan kaybolur"
	case how == lost && isNew:
		return fmt.Sprintf("the bank charges order %d (charge %d), and its answer is lost", order+1, n),
			fmt.Sprintf("banka sipariş %d için çeker (çekim %d), yanıtı kaybolur", order+1, n)
	case how == lost:
		return "the bank replays its stored answer, and that is lost", "banka saklanan yanıtı döndürür, o da kaybolur"
	case isNew:
		return fmt.Sprintf("%s charges order %d: charge %d", who, order+1, n),
			fmt.Sprintf("%s sipariş %d için çeker: çekim %d", who, order+1, n)
	case w.next.key != payments.NoKey && n == 0:
		return "the bank refuses the key: it was used for another order",
			"banka anahtarı reddeder: başka bir sipariş için kullanılmış"
	default:
		return "the bank knows the key and replays its stored answer: no new charge",
			"banka anahtarı tanır ve saklanan yanıtı döndürür: yeni çekim yok"
	}
}

// looked tells what the worker learned or wrote, which the answer says.
func looked(a answer, v verb, how, who string) (en, tr string) {
	switch v {
	case look:
		return told(a.yes, who+" looks: seen", who+" looks: not seen", who+" bakar: işlenmiş", who+" bakar: işlenmemiş")
	case find:
		if how == never {
			return "the bank cannot be asked", "bankaya sorulamaz"
		}
		return told(a.yes, who+" asks the bank: charged", who+" asks the bank: not charged",
			who+" bankaya sorar: çekilmiş", who+" bankaya sorar: çekilmemiş")
	case lock:
		return told(a.err == nil, who+" takes the claim", who+" finds it claimed, or done",
			who+" claim'i alır", who+" sahiplenilmiş ya da bitmiş bulur")
	case apply:
		return who + " writes the effects: paid, points", who + " yerel etkileri yazar: ödendi, puan"
	case mark:
		return told(a.err == nil, who+" marks the id", who+" finds it marked already",
			who+" id'yi kaydeder", who+" zaten kayıtlı bulur")
	default:
		return told(a.err == nil, who+" writes mark and effects in one transaction",
			who+" finds it recorded already, and writes nothing",
			who+" kaydı ve etkileri tek transaction'da yazar", who+" zaten kayıtlı bulur, hiçbir şey yazmaz")
	}
}

func told(yes bool, enYes, enNo, trYes, trNo string) (en, tr string) {
	if yes {
		return enYes, trYes
	}
	return enNo, trNo
}
